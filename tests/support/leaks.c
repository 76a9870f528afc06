/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LeakSanitizer and Criterion: the runner leaks a little of its own when it ends, which is not ours
 * to mend; the workers, one process a test, are what is to be checked. Workers are started with a
 * variable of Criterion's sandbox in their environment.
 */
#include <stdlib.h>

int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
    return getenv("BXFI_MAP") == NULL;
}
