/* Message queues. Each queue is unlinked as soon as it is open, but for the cases of its name. */
#include <fcntl.h>
#include <mqueue.h>
#include <sched.h>

#include "posix_case.h"

/* Within what Linux allows every user (mq_overview(7)): 10 messages of 8192 bytes. */
enum { MODE = 0600, MOST_MESSAGES = 10, LARGEST_MESSAGE = 8192, SMALL_MESSAGE = 64 };

static mqd_t queue = (mqd_t)-1;
static struct mq_attr shape;

#define OVER_BYTES X_FROM_TO(1, 8192), .parameter = "size of the message", .unit = "byte"

static bool open_queue(int flags, long messages, long size) {
    shape = (struct mq_attr){.mq_maxmsg = messages, .mq_msgsize = size};
    queue = mq_open(shared_name, O_RDWR | flags, MODE, &shape);
    return made("mq_open", queue);
}

static bool create(int flags, long messages, long size) {
    return open_queue(O_CREAT | O_EXCL | flags, messages, size) && MADE(mq_unlink(shared_name));
}

static bool create_empty(const struct series *series) {
    return create(0, MOST_MESSAGES, LARGEST_MESSAGE);
}

static bool create_with_message(const struct series *series) {
    return create_empty(series) && MADE(mq_send(queue, bytes_there, series->x, 0));
}

static bool create_impatient(const struct series *series) {
    return create(O_NONBLOCK, 1, SMALL_MESSAGE);
}

static bool create_impatient_full(const struct series *series) {
    return create_impatient(series) && MADE(mq_send(queue, bytes_there, SMALL_MESSAGE, 0));
}

static void close_queue(const struct series *series) {
    if (queue != (mqd_t)-1)
        mq_close(queue);
    queue = (mqd_t)-1;
}

/* Send and receive. */

static bool take_back(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(mq_receive(queue, bytes_there, LARGEST_MESSAGE, NULL));
}

static bool send_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(mq_send(queue, bytes_there, series->x, 0));
}

TIMED_CASE(mq_send, room, mq_send, mq_send(queue, bytes_there, series->x, 0), LIBRARY,
           .condition = "x bytes, empty, nobody waits", OVER_BYTES, .set_up = create_empty,
           .after = take_back, .tear_down = close_queue)

TIMED_CASE(mq_receive, one, mq_receive, mq_receive(queue, bytes_there, LARGEST_MESSAGE, NULL),
           LIBRARY, .condition = "one message of x bytes", OVER_BYTES,
           .set_up = create_with_message, .after = send_again, .tear_down = close_queue)

TIMED_CASE(mq_send, full, mq_send, mq_send(queue, bytes_there, SMALL_MESSAGE, 0), LIBRARY,
           .condition = "full, not waiting: EAGAIN", .set_up = create_impatient_full,
           .after = would_have_blocked, .tear_down = close_queue)

TIMED_CASE(mq_receive, empty, mq_receive, mq_receive(queue, bytes_there, SMALL_MESSAGE, NULL),
           LIBRARY, .condition = "empty, not waiting: EAGAIN", .set_up = create_impatient,
           .after = would_have_blocked, .tear_down = close_queue)

/* Messages of other priorities lie before the one that is sent. */

static bool create_with_messages(const struct series *series) {
    bool sent = create(0, MOST_MESSAGES, SMALL_MESSAGE);
    for (uint32_t i = 0; sent && i < series->x; i++)
        sent = MADE(mq_send(queue, bytes_there, SMALL_MESSAGE, i));
    return sent;
}

static bool take_urgent_back(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(mq_receive(queue, bytes_there, SMALL_MESSAGE, NULL));
}

TIMED_CASE(mq_send, priorities, mq_send, mq_send(queue, bytes_there, SMALL_MESSAGE, 31), LIBRARY,
           .condition = "x messages of lower priorities are there", X_FROM_TO(1, 9),
           .parameter = "messages", .unit = "message", .set_up = create_with_messages,
           .after = take_urgent_back, .tear_down = close_queue)

/* Another thread. */

static bool create_small(const struct series *series) {
    return create(0, 1, SMALL_MESSAGE);
}

RETURNS_FROM(receive_above, "mq_send.wakes_higher",
             mq_receive(queue, bytes_there, SMALL_MESSAGE, NULL), (void)0)

static bool create_and_let_wait(const struct series *series) {
    return create_small(series) && start_partner(receive_above, ABOVE);
}

static void stop_and_close(const struct series *series) {
    stop_partner();
    close_queue(series);
}

TIMED_CASE(mq_send, wakes_higher, mq_send, mq_send(queue, bytes_there, SMALL_MESSAGE, 0), LIBRARY,
           .condition = "a thread of higher priority waits for the message", .flags = CASE_MOVES,
           .set_up = create_and_let_wait, .after = was_made, .tear_down = stop_and_close)

RETURNS_FROM(yield_and_send, "mq_receive.blocks", sched_yield(),
             mq_send(queue, bytes_there, SMALL_MESSAGE, 0))

static bool create_and_start(const struct series *series) {
    return create_small(series) && start_partner(yield_and_send, EQUAL);
}

TIMED_CASE(mq_receive, blocks, mq_receive, mq_receive(queue, bytes_there, SMALL_MESSAGE, NULL),
           LIBRARY, .condition = "empty, another thread is ready and goes on", .flags = CASE_MOVES,
           .set_up = create_and_start, .after = was_made, .tear_down = stop_and_close)

/* Names and descriptors. */

TIMED_CASE(mq_getattr, empty, mq_getattr, mq_getattr(queue, &shape), LIBRARY, .condition = "empty",
           .set_up = create_small, .after = was_made, .tear_down = close_queue)

static bool choose_shape(const struct series *series) {
    shape = (struct mq_attr){.mq_maxmsg = MOST_MESSAGES, .mq_msgsize = SMALL_MESSAGE};
    return true;
}

static bool close_opened(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(mq_close((mqd_t)result));
}

static bool unlink_opened(const struct series *series, uintptr_t result) {
    return close_opened(series, result) && MADE(mq_unlink(shared_name));
}

static bool make_named(const struct series *series) {
    return open_queue(O_CREAT | O_EXCL, MOST_MESSAGES, SMALL_MESSAGE);
}

static bool make_and_close(const struct series *series) {
    return make_named(series) && MADE(mq_close(queue));
}

static void unlink_named(const struct series *series) {
    mq_unlink(shared_name);
    queue = (mqd_t)-1;
}

static void close_and_unlink(const struct series *series) {
    close_queue(series);
    unlink_named(series);
}

static bool open_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && open_queue(0, 0, 0);
}

static bool make_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && make_and_close(series);
}

TIMED_CASE(mq_open, create, mq_open, mq_open(shared_name, O_RDWR | O_CREAT | O_EXCL, MODE, &shape),
           LIBRARY, .condition = "a new name", .set_up = choose_shape, .after = unlink_opened,
           .tear_down = unlink_named)

TIMED_CASE(mq_open, existing, mq_open, mq_open(shared_name, O_RDWR), LIBRARY,
           .condition = "the name exists", .set_up = make_and_close, .after = close_opened,
           .tear_down = unlink_named)

TIMED_CASE(mq_close, open, mq_close, mq_close(queue), LIBRARY, .condition = "opened, with a name",
           .set_up = make_named, .after = open_again, .tear_down = close_and_unlink)

TIMED_CASE(mq_unlink, closed, mq_unlink, mq_unlink(shared_name), LIBRARY, .condition = "not open",
           .set_up = make_and_close, .after = make_again, .tear_down = unlink_named)
