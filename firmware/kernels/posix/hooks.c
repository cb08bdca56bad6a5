/* Reports of the hooks of POSIX cases about the calls they make. */
#include "cases/posix_case.h"

const struct timespec long_ago;
char bytes_there[MOST_BYTES];

bool done(const char *call, int error) {
    if (error != 0)
        case_refusal = (struct refusal){call, (uint32_t)error};
    return error == 0;
}

bool made(const char *call, intptr_t result) {
    return done(call, result == -1 ? errno : 0);
}

bool was_done(const struct series *series, uintptr_t error) {
    return done(NULL, (int)error);
}

bool was_made(const struct series *series, uintptr_t result) {
    return made(NULL, (int)result);
}

bool was_busy(const struct series *series, uintptr_t error) {
    return (int)error == EBUSY;
}

bool was_too_late(const struct series *series, uintptr_t error) {
    return (int)error == ETIMEDOUT;
}

bool would_have_blocked(const struct series *series, uintptr_t result) {
    return (int)result == -1 && errno == EAGAIN;
}
