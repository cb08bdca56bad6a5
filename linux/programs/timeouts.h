/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Included before each file of G-Kermit. It leaves the handler of its alarm by longjmp, which keeps
 * the signal blocked, so only its first time-out ever comes. With these names the jump restores the
 * mask of signals.
 */
#ifndef TIMEOUTS_H
#define TIMEOUTS_H

#include <setjmp.h>

#undef setjmp
#define jmp_buf sigjmp_buf
#define setjmp(place) sigsetjmp(place, 1)
#define longjmp siglongjmp

#endif
