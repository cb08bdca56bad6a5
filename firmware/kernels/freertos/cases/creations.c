/* Objects created one at a time, where the heap has N free blocks that are too small before the
 * one that is taken. Each object is deleted before the next call, so that every call of a series
 * meets the same heap. */
#include "heap_case.h"
#include "stream_case.h"
#include "timer_case.h"

#include "event_groups.h"

#define CREATED_BEHIND(what)                                                          \
    LIBRARY, .condition = what "; heap_4, behind small free blocks", AMONG_FRAGMENTS, \
             .bytes = fragments_and_object_bytes, .set_up = make_fragments,           \
             .tear_down = free_fragments

static TaskHandle_t task;

static bool delete_task(const struct series *series, uintptr_t passed) {
    if (passed == pdPASS)
        vTaskDelete(task);
    return passed == pdPASS;
}

TIMED_CASE(task_create, behind_small_blocks, xTaskCreate,
           xTaskCreate(never_run, "load", HELPER_STACK_WORDS, NULL, PRIORITY_LOAD, &task),
           CREATED_BEHIND("ready"), .after = delete_task)

/* A semaphore and a mutex are queues. */
static bool delete_queue(const struct series *series, uintptr_t queue) {
    if (queue != 0)
        vQueueDelete((QueueHandle_t)queue);
    return queue != 0;
}

TIMED_CASE(queue_create, behind_small_blocks, xQueueGenericCreate,
           xQueueCreate(1, sizeof(uint32_t)), CREATED_BEHIND("one message of 4 bytes"),
           .after = delete_queue)

TIMED_CASE(semaphore_create, behind_small_blocks, xQueueCreateCountingSemaphore,
           xSemaphoreCreateCounting(10, 5), CREATED_BEHIND("counting"), .after = delete_queue)

TIMED_CASE(mutex_create, behind_small_blocks, xQueueCreateMutex, xSemaphoreCreateMutex(),
           CREATED_BEHIND("mutex"), .after = delete_queue)

static bool delete_event_group(const struct series *series, uintptr_t group) {
    if (group != 0)
        vEventGroupDelete((EventGroupHandle_t)group);
    return group != 0;
}

TIMED_CASE(event_group_create, behind_small_blocks, xEventGroupCreate, xEventGroupCreate(),
           CREATED_BEHIND("event group"), .after = delete_event_group)

static bool delete_stream(const struct series *series, uintptr_t stream) {
    if (stream != 0)
        vStreamBufferDelete((StreamBufferHandle_t)stream);
    return stream != 0;
}

TIMED_CASE(stream_create, behind_small_blocks, xStreamBufferGenericCreate,
           xStreamBufferCreate(CAPACITY, 1), CREATED_BEHIND("16 bytes"), .after = delete_stream)

TIMED_CASE(message_create, behind_small_blocks, xStreamBufferGenericCreate,
           xMessageBufferCreate(CAPACITY), CREATED_BEHIND("16 bytes"), .after = delete_stream)

static void never_expires(TimerHandle_t unused) {}

static bool delete_timer(const struct series *series, uintptr_t timer) {
    if (timer != 0)
        xTimerDelete((TimerHandle_t)timer, 0);
    run_timer_daemon();
    return timer != 0;
}

TIMED_CASE(timer_create, behind_small_blocks, xTimerCreate,
           xTimerCreate("timer", PERIOD_TICKS, pdFALSE, NULL, never_expires),
           CREATED_BEHIND("timer"), .after = delete_timer)
