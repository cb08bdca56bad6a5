/* Processes: who one is, making another, what the system says of itself. */
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "posix_case.h"

TIMED_CASE(getpid, itself, getpid, getpid(), LIBRARY, .condition = "always", .after = was_made)

TIMED_CASE(getppid, itself, getppid, getppid(), LIBRARY, .condition = "always", .after = was_made)

TIMED_CASE(getuid, itself, getuid, getuid(), LIBRARY, .condition = "always")

/* Fork: the child returns into the harness too, and ends at once. */

static bool end_child(const struct series *series, uintptr_t result) {
    if (result == 0)
        _exit(EXIT_SUCCESS);
    return was_made(series, result) && MADE(waitpid((pid_t)result, NULL, 0));
}

TIMED_CASE(fork, small, fork, fork(), LIBRARY,
           .condition = "this program, in the parent; the child ends at once", .after = end_child)

/* Wait. */

static pid_t own, child;

static int end_at_once(void) {
    return EXIT_SUCCESS;
}

static bool make_ended(const struct series *series) {
    child = start_child(end_at_once);
    let_others_run();
    siginfo_t found;
    return made("fork", child) && MADE(waitid(P_PID, (id_t)child, &found, WEXITED | WNOWAIT));
}

static bool replace_ended(const struct series *series, uintptr_t result) {
    return was_made(series, result) && make_ended(series);
}

static void end_ended(const struct series *series) {
    if (child > 0)
        waitpid(child, NULL, 0);
}

TIMED_CASE(waitpid, ended, waitpid, waitpid(child, NULL, 0), LIBRARY,
           .condition = "a child that has ended", .set_up = make_ended, .after = replace_ended,
           .tear_down = end_ended)

static int wait_for_end(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == own)
        pause();
    return EXIT_SUCCESS;
}

static bool make_running(const struct series *series) {
    own = getpid();
    child = start_child(wait_for_end);
    return made("fork", child);
}

static void end_running(const struct series *series) {
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
}

TIMED_CASE(waitpid, running, waitpid, waitpid(child, NULL, WNOHANG), LIBRARY,
           .condition = "a child that has not ended, not waiting", .set_up = make_running,
           .after = was_made, .tear_down = end_running)

/* Queries of the system. */

static struct utsname system_name;
static struct rusage usage;

TIMED_CASE(uname, itself, uname, uname(&system_name), LIBRARY, .condition = "always",
           .after = was_made)

TIMED_CASE(getrusage, itself, getrusage, getrusage(RUSAGE_SELF, &usage), LIBRARY,
           .condition = "of this process", .after = was_made)

TIMED_CASE(sysconf, page, sysconf, sysconf(_SC_PAGESIZE), LIBRARY, .condition = "_SC_PAGESIZE",
           .after = was_made)

static char folder[256];

static bool was_told(const struct series *series, uintptr_t result) {
    return done(NULL, result == 0 ? errno : 0);
}

TIMED_CASE(getcwd, own, getcwd, getcwd(folder, sizeof folder), LIBRARY,
           .condition = "the program's own folder", .after = was_told)
