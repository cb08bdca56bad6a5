/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Included before each file of cyclictest. POSIX means all threads of a process, so musl neither
 * sets nor reads its scheduling (ENOSYS). cyclictest means the calling thread. So do Linux's
 * system calls. A signal's event has musl's names.
 */
#ifndef SCHEDULING_H
#define SCHEDULING_H

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define sched_getparam(thread, of) syscall(SYS_sched_getparam, thread, of)
#define sched_getscheduler(thread) syscall(SYS_sched_getscheduler, thread)
#define sched_setscheduler(thread, policy, to) syscall(SYS_sched_setscheduler, thread, policy, to)

#define _sigev_un __sev_fields
#define _tid sigev_notify_thread_id

#endif
