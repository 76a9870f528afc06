/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * BLAS is not called before its work space is there, and then for good.
 */
#include "base/blas.h"
#include "tests/support/space.h"
#include "tests/support/support.h"

TestSuite(blas, .timeout = 120);

Test(blas, no_work_space_under_a_limit)
{
    test_limit_space(SWQ_BLAS_MEGABYTES / 2);
    cr_assert_not(swq_blas_ready());
    cr_assert_not(swq_blas_ready(), "asked again");
    test_limit_space(-1);
    cr_assert(swq_blas_ready(), "the limit is gone");
}

Test(blas, work_space_is_kept)
{
    cr_assert(swq_blas_ready());
    test_limit_space(1);
    const bool ready = swq_blas_ready();
    test_limit_space(-1); /* a sanitizer maps memory at the end of the process */
    cr_assert(ready);
}
