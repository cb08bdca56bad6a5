/* Shared by the POSIX cases: reports of their hooks about calls (hooks.c), and
 * helper threads (company.c). */
#ifndef POSIX_CASE_H
#define POSIX_CASE_H

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../caretaker.h"
#include "case.h"

#define LIBRARY .library = "POSIX"

/* Whether a call of a set-up did what it should; if not, the refusal says which and why. DONE is
 * for calls that return an error number, MADE for those that return −1 and set errno. */
#define DONE(call) done(#call, call)
#define MADE(call) made(#call, (intptr_t)(call))
bool done(const char *call, int error);
bool made(const char *call, intptr_t result);

/* For .after, where nothing has to be restored: whether the timed call did what it should. */
bool was_done(const struct series *series, uintptr_t error);
bool was_made(const struct series *series, uintptr_t result);
bool was_busy(const struct series *series, uintptr_t error);
bool was_too_late(const struct series *series, uintptr_t error);
bool would_have_blocked(const struct series *series, uintptr_t result);

/* For calls that wait until then: they need not. */
extern const struct timespec long_ago;

/* The bytes that are written and read. */
#ifndef MOST_BYTES_OF_FILES
#define MOST_BYTES_OF_FILES 65536
#endif
enum { MOST_BYTES = MOST_BYTES_OF_FILES };
extern char bytes_there[MOST_BYTES];

/* Stacks of other threads. */
#ifndef STACK_BYTES_OF_OTHERS
#define STACK_BYTES_OF_OTHERS (64 * 1024)
#endif
enum { STACK_BYTES = STACK_BYTES_OF_OTHERS };

/* Ends the bodies below. */
extern volatile bool company_ends;

/* One other thread, on the same CPU. ABOVE the harness it runs whenever it can; EQUAL to it, when
 * the harness waits or yields. Both need SCHED_FIFO, and are refused without. Stopping cancels it:
 * it must wait where that is heeded, or find company_ends. */
enum rank { EQUAL = 0, ABOVE = 1 };
extern pthread_t partner;
bool start_partner(void *(*body)(void *), enum rank rank);
void stop_partner(void);

/* Many others, which run when the harness waits; each says that it is about to wait. Stopping joins
 * them: the case has to wake them first. */
bool start_crowd(void *(*body)(void *), uint32_t count);
void say_arrived(void);
bool crowd_waits(uint32_t count);
void stop_crowd(void);

/* A child process that runs `body` and ends with what that returns; -1 if there is none (child.c of
 * the system). */
pid_t start_child(int (*body)(void));

/* Waits until all other threads wait. */
void let_others_run(void);

/* The body of a thread that makes one call until company_ends. A case that moves to it ends where
 * the call returns, and `then` comes before the next call. */
#define RETURNS_FROM(body, case_name, call, then)       \
    static void *body(void *unused) {                   \
        const volatile uint32_t *timer = probe_timer(); \
        while (!company_ends) {                         \
            call;                                       \
            MOVED_PROBE(timer, case_name);              \
            then;                                       \
        }                                               \
        return unused;                                  \
    }

#endif
