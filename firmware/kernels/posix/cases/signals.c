/* Signals: to oneself, to a child made for it, to nobody. No signal leaves the program's own
 * processes: the others are its children, and end when it does. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "posix_case.h"

static struct sigaction action;
static sigset_t usual, only_usr1, blocked;
static pid_t own, other;
static volatile sig_atomic_t handled;

static void handle(int number) {
    handled++;
}

static bool act(void (*how)(int)) {
    own = getpid();
    handled = 0;
    memset(&action, 0, sizeof action);
    action.sa_handler = how;
    return MADE(sigaction(SIGUSR1, &action, NULL));
}

static bool handle_it(const struct series *series) {
    return act(handle);
}

static bool ignore_it(const struct series *series) {
    return act(SIG_IGN);
}

static void act_as_usual(const struct series *series) {
    signal(SIGUSR1, SIG_DFL);
}

/* The handler ran before the call returned. */
static bool was_handled(const struct series *series, uintptr_t result) {
    return was_made(series, result) && handled == series->index + 1;
}

TIMED_CASE(raise, handled, raise, raise(SIGUSR1), LIBRARY,
           .condition = "a handler runs before it returns", .set_up = handle_it,
           .after = was_handled, .tear_down = act_as_usual)

TIMED_CASE(raise, ignored, raise, raise(SIGUSR1), LIBRARY, .condition = "ignored",
           .set_up = ignore_it, .after = was_made, .tear_down = act_as_usual)

/* Kill: oneself, another process, none. */

TIMED_CASE(kill, itself, kill, kill(own, SIGUSR1), LIBRARY,
           .condition = "itself: a handler runs before it returns", .set_up = handle_it,
           .after = was_handled, .tear_down = act_as_usual)

TIMED_CASE(kill, itself_ignored, kill, kill(own, SIGUSR1), LIBRARY, .condition = "itself: ignored",
           .set_up = ignore_it, .after = was_made, .tear_down = act_as_usual)

TIMED_CASE(kill, itself_0, kill, kill(own, 0), LIBRARY, .condition = "itself: signal 0",
           .set_up = ignore_it, .after = was_made, .tear_down = act_as_usual)

/* A child: that of a program that has ended meanwhile must not stay. */
static int wait_for_signals(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == own)
        pause();
    return EXIT_FAILURE;
}

/* A child that begins with the action and the mask of its parent, and waits for signals. */
static bool make_other(void (*how)(int)) {
    other = 0;
    if (!act(how))
        return false;
    other = start_child(wait_for_signals);
    return made("fork", other);
}

static bool make_handling(const struct series *series) {
    bool is_there = make_other(handle);
    let_others_run();
    return is_there;
}

static bool make_ignoring(const struct series *series) {
    return make_other(SIG_IGN);
}

static bool let_it_handle(const struct series *series, uintptr_t result) {
    let_others_run();
    return was_made(series, result);
}

static void end_other(const struct series *series) {
    if (other > 0) {
        kill(other, SIGKILL);
        waitpid(other, NULL, 0);
    }
    act_as_usual(series);
}

TIMED_CASE(kill, other, kill, kill(other, SIGUSR1), LIBRARY,
           .condition = "another process, which waits and has a handler", .set_up = make_handling,
           .after = let_it_handle, .tear_down = end_other)

TIMED_CASE(kill, other_ignored, kill, kill(other, SIGUSR1), LIBRARY,
           .condition = "another process, which ignores it", .set_up = make_ignoring,
           .after = was_made, .tear_down = end_other)

TIMED_CASE(kill, other_0, kill, kill(other, 0), LIBRARY, .condition = "another process: signal 0",
           .set_up = make_ignoring, .after = was_made, .tear_down = end_other)

static int end_child(void) {
    return EXIT_SUCCESS;
}

/* The number of a child that was waited for: nobody's until all others were given out. */
static bool make_and_end_other(const struct series *series) {
    other = start_child(end_child);
    return made("fork", other) && MADE(waitpid(other, NULL, 0));
}

static bool was_nobody(const struct series *series, uintptr_t result) {
    return (int)result == -1 && errno == ESRCH;
}

TIMED_CASE(kill, nobody, kill, kill(other, 0), LIBRARY,
           .condition = "a process that does not exist: signal 0, ESRCH",
           .set_up = make_and_end_other, .after = was_nobody)

/* Threads, and signals with a value. */

static pthread_t self;

static bool handle_it_here(const struct series *series) {
    self = pthread_self();
    return handle_it(series);
}

static bool was_handled_here(const struct series *series, uintptr_t error) {
    return was_done(series, error) && handled == series->index + 1;
}

TIMED_CASE(pthread_kill, itself, pthread_kill, pthread_kill(self, SIGUSR1), LIBRARY,
           .condition = "itself: a handler runs before it returns", .set_up = handle_it_here,
           .after = was_handled_here, .tear_down = act_as_usual)

static bool block_it(const struct series *series) {
    sigemptyset(&only_usr1);
    sigaddset(&only_usr1, SIGUSR1);
    return handle_it_here(series) && DONE(pthread_sigmask(SIG_BLOCK, &only_usr1, &usual));
}

static bool take_it(const struct series *series, uintptr_t result) {
    static const struct timespec at_once;
    return was_made(series, result) && MADE(sigtimedwait(&only_usr1, NULL, &at_once));
}

static void unblock_it(const struct series *series) {
    pthread_sigmask(SIG_SETMASK, &usual, NULL);
    act_as_usual(series);
}

TIMED_CASE(sigqueue, blocked, sigqueue, sigqueue(own, SIGUSR1, (union sigval){.sival_int = 1}),
           LIBRARY, .condition = "itself: blocked, so it stays pending", .set_up = block_it,
           .after = take_it, .tear_down = unblock_it)

static bool block_and_raise(const struct series *series) {
    return block_it(series) && MADE(raise(SIGUSR1));
}

static const struct timespec no_time;

static bool raise_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(raise(SIGUSR1));
}

static void take_and_unblock(const struct series *series) {
    sigtimedwait(&only_usr1, NULL, &no_time);
    unblock_it(series);
}

TIMED_CASE(sigtimedwait, pending, sigtimedwait, sigtimedwait(&only_usr1, NULL, &no_time), LIBRARY,
           .condition = "the signal is pending", .set_up = block_and_raise, .after = raise_again,
           .tear_down = take_and_unblock)

TIMED_CASE(sigpending, one, sigpending, sigpending(&blocked), LIBRARY,
           .condition = "one signal is pending", .set_up = block_and_raise, .after = was_made,
           .tear_down = take_and_unblock)

/* Actions and masks. */

TIMED_CASE(sigaction, set, sigaction, sigaction(SIGUSR1, &action, NULL), LIBRARY,
           .condition = "set", .set_up = handle_it, .after = was_made, .tear_down = act_as_usual)

static struct sigaction found;

TIMED_CASE(sigaction, query, sigaction, sigaction(SIGUSR1, NULL, &found), LIBRARY,
           .condition = "asked for", .set_up = handle_it, .after = was_made,
           .tear_down = act_as_usual)

static bool choose_mask(const struct series *series) {
    sigemptyset(&only_usr1);
    sigaddset(&only_usr1, SIGUSR1);
    return DONE(pthread_sigmask(SIG_SETMASK, NULL, &usual));
}

static bool unblock_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && DONE(pthread_sigmask(SIG_SETMASK, &usual, NULL));
}

TIMED_CASE(sigprocmask, block, sigprocmask, sigprocmask(SIG_BLOCK, &only_usr1, NULL), LIBRARY,
           .condition = "blocks one signal", .set_up = choose_mask, .after = unblock_again)

static bool set_again(const struct series *series, uintptr_t error) {
    return was_done(series, error) && DONE(pthread_sigmask(SIG_SETMASK, &usual, NULL));
}

TIMED_CASE(pthread_sigmask, block, pthread_sigmask, pthread_sigmask(SIG_BLOCK, &only_usr1, NULL),
           LIBRARY, .condition = "blocks one signal", .set_up = choose_mask, .after = set_again)
