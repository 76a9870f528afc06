/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One thread at a time in BLAS. The lock is the process's because the library's work space is.
 * Room: base.
 */
#include "base/blas.h"

#include <pthread.h>

static pthread_mutex_t blas = PTHREAD_MUTEX_INITIALIZER;

void swq_blas_lock(void)
{
    pthread_mutex_lock(&blas);
}

void swq_blas_unlock(void)
{
    pthread_mutex_unlock(&blas);
}
