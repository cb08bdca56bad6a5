/* A child by fork: a copy of the program. */
#include <unistd.h>

#include "cases/posix_case.h"

pid_t start_child(int (*body)(void)) {
    pid_t child = fork();
    if (child == 0)
        _exit(body());
    return child;
}
