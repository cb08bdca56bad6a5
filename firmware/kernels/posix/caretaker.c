/* The caretaker: a child that waits for the end of a pipe of which the program has the other end.
 * That end comes with the program's, also when it is killed. */
#include "caretaker.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_OPEN = 16 };

static char folder[] = "cyclescope-XXXXXX";
char shared_name[sizeof folder + sizeof "/.shared"];

static void refuse(const char *what) {
    perror(what);
    exit(EXIT_FAILURE);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status, (void)kind;
    return where->level == 0 ? 0 : remove(path);
}

static void clear_away(void) {
    sem_unlink(shared_name);
    mq_unlink(shared_name);
    shm_unlink(shared_name);
    nftw(".", remove_one, MOST_OPEN, FTW_DEPTH | FTW_PHYS);
    if (chdir("..") == 0)
        rmdir(folder);
}

/* Nothing that ends the program from a terminal reaches it, and it holds nothing of the wire. */
__attribute__((noreturn)) static void wait_and_clear(int end) {
    char byte;
    setsid();
    dup2(end, STDIN_FILENO);
    closefrom(STDIN_FILENO + 1);
    while (read(STDIN_FILENO, &byte, 1) != 0)
        if (errno != EINTR)
            break;
    clear_away();
    _exit(EXIT_SUCCESS);
}

void caretaker_start(void) {
    int ends[2];
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        refuse("no folder can be made for what the cases write");
    snprintf(shared_name, sizeof shared_name, "/%s.shared", folder);
    if (pipe2(ends, O_CLOEXEC) != 0)
        refuse("no pipe can be made");
    pid_t child = fork();
    if (child < 0)
        refuse("no process can be made");
    if (child == 0)
        wait_and_clear(ends[0]);
    close(ends[0]);
}
