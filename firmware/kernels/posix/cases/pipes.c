/* Pipes, and waiting for one. */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>

#include "posix_case.h"

/* A pipe holds 65536 bytes (pipe(7)). */
enum { PIECE = 4096 };

static int ends[2] = {-1, -1};

#define OVER_BYTES X_FROM_TO(1, 16384), .parameter = "size of the block", .unit = "byte"

static bool create(const struct series *series) {
    return MADE(pipe(ends));
}

static bool fill(uint32_t size) {
    return MADE(write(ends[1], bytes_there, size));
}

static bool empty(uint32_t size) {
    return MADE(read(ends[0], bytes_there, size));
}

static bool create_filled(const struct series *series) {
    return create(series) && fill(series->x);
}

static bool create_impatient(const struct series *series) {
    return MADE(pipe2(ends, O_NONBLOCK));
}

static bool create_impatient_full(const struct series *series) {
    bool created = create_impatient(series);
    while (created && write(ends[1], bytes_there, PIECE) > 0)
        ;
    return created;
}

static void close_both(const struct series *series) {
    close(ends[0]);
    close(ends[1]);
    ends[0] = ends[1] = -1;
}

static bool close_made(const struct series *series, uintptr_t result) {
    bool made_it = was_made(series, result);
    close_both(series);
    return made_it;
}

TIMED_CASE(pipe, create, pipe, pipe(ends), LIBRARY, .condition = "always", .after = close_made)

static bool empty_again(const struct series *series, uintptr_t result) {
    return result == series->x && empty(series->x);
}

static bool fill_again(const struct series *series, uintptr_t result) {
    return result == series->x && fill(series->x);
}

TIMED_CASE(write, pipe, write, write(ends[1], bytes_there, series->x), LIBRARY,
           .condition = "a pipe, empty; x bytes", OVER_BYTES, .set_up = create,
           .after = empty_again, .tear_down = close_both)

TIMED_CASE(read, pipe, read, read(ends[0], bytes_there, series->x), LIBRARY,
           .condition = "a pipe with x bytes", OVER_BYTES, .set_up = create_filled,
           .after = fill_again, .tear_down = close_both)

TIMED_CASE(read, empty_pipe, read, read(ends[0], bytes_there, 1), LIBRARY,
           .condition = "a pipe, empty, not waiting: EAGAIN", .set_up = create_impatient,
           .after = would_have_blocked, .tear_down = close_both)

TIMED_CASE(write, full_pipe, write, write(ends[1], bytes_there, PIECE), LIBRARY,
           .condition = "a pipe, full, not waiting: EAGAIN", .set_up = create_impatient_full,
           .after = would_have_blocked, .tear_down = close_both)

/* Poll: x pipes, of which the last has something to read. */

enum { MOST_PIPES = 32 };

static struct pollfd polled[MOST_PIPES];
static int written[MOST_PIPES];

static bool create_polled(const struct series *series) {
    for (uint32_t i = 0; i < MOST_PIPES; i++)
        polled[i].fd = written[i] = -1;
    for (uint32_t i = 0; i < series->x; i++) {
        if (!create(series))
            return false;
        polled[i] = (struct pollfd){.fd = ends[0], .events = POLLIN};
        written[i] = ends[1];
    }
    return fill(1);
}

static bool was_one(const struct series *series, uintptr_t result) {
    return (int)result == 1;
}

static void close_polled(const struct series *series) {
    for (uint32_t i = 0; i < series->x; i++) {
        close(polled[i].fd);
        close(written[i]);
    }
}

TIMED_CASE(poll, pipes, poll, poll(polled, series->x, 0), LIBRARY,
           .condition = "x pipes, the last has something to read", X_FROM_TO(1, 32),
           .parameter = "pipes", .unit = "pipe", .set_up = create_polled, .after = was_one,
           .tear_down = close_polled)

/* Another thread. */

static char byte;

RETURNS_FROM(read_above, "write.pipe_wakes_higher", (void)!read(ends[0], &byte, 1), (void)0)

static bool create_and_let_wait(const struct series *series) {
    return create(series) && start_partner(read_above, ABOVE);
}

static void stop_and_close(const struct series *series) {
    stop_partner();
    close_both(series);
}

TIMED_CASE(write, pipe_wakes_higher, write, write(ends[1], bytes_there, 1), LIBRARY,
           .condition = "a pipe that a thread of higher priority waits to read; 1 byte",
           .flags = CASE_MOVES, .set_up = create_and_let_wait, .after = was_made,
           .tear_down = stop_and_close)

RETURNS_FROM(yield_and_write, "read.pipe_blocks", sched_yield(),
             (void)!write(ends[1], bytes_there, 1))

static bool create_and_start(const struct series *series) {
    return create(series) && start_partner(yield_and_write, EQUAL);
}

TIMED_CASE(read, pipe_blocks, read, read(ends[0], &byte, 1), LIBRARY,
           .condition = "a pipe, empty, another thread is ready and goes on", .flags = CASE_MOVES,
           .set_up = create_and_start, .after = was_made, .tear_down = stop_and_close)
