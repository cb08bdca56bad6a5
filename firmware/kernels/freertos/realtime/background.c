/* The work of the background threads: every facility of FreeRTOS that locks the scheduler or masks
 * interrupts. There are five threads, each with objects and a class of calls of its own. */
#include "background.h"

#include "event_groups.h"
#include "message_buffer.h"
#include "queue.h"
#include "stream_buffer.h"
#include "timers.h"

/* name, what it holds (tasks.c, queue.c, … of V11.2.0) */
#define FACILITIES(X)                                                                      \
    X(TASK_CREATE, "xTaskCreate", HOLDS_INTERRUPTS | HOLDS_SCHEDULER)                      \
    X(TASK_DELETE, "vTaskDelete", HOLDS_INTERRUPTS | HOLDS_SCHEDULER)                      \
    X(TASK_SUSPEND, "vTaskSuspend", HOLDS_INTERRUPTS)                                      \
    X(TASK_RESUME, "vTaskResume", HOLDS_INTERRUPTS)                                        \
    X(PRIORITY_SET, "vTaskPrioritySet", HOLDS_INTERRUPTS)                                  \
    X(GET_HANDLE, "xTaskGetHandle", HOLDS_SCHEDULER)                                       \
    X(ABORT_DELAY, "xTaskAbortDelay", HOLDS_INTERRUPTS | HOLDS_SCHEDULER)                  \
    X(DELAY, "vTaskDelay", HOLDS_SCHEDULER)                                                \
    X(YIELD, "taskYIELD", HOLDS_INTERRUPTS)                                                \
    X(QUEUE_SEND, "xQueueSend", HOLDS_INTERRUPTS)                                          \
    X(QUEUE_RECEIVE, "xQueueReceive", HOLDS_INTERRUPTS)                                    \
    X(QUEUE_PEEK, "xQueuePeek", HOLDS_INTERRUPTS)                                          \
    X(QUEUE_RESET, "xQueueReset", HOLDS_INTERRUPTS)                                        \
    X(QUEUE_WAIT, "xQueueReceive, waiting", HOLDS_INTERRUPTS | HOLDS_SCHEDULER)            \
    X(SEMAPHORE_TAKE, "xSemaphoreTake", HOLDS_INTERRUPTS)                                  \
    X(SEMAPHORE_GIVE, "xSemaphoreGive", HOLDS_INTERRUPTS)                                  \
    X(MUTEX_TAKE, "xSemaphoreTake (mutex)", HOLDS_INTERRUPTS)                              \
    X(MUTEX_GIVE, "xSemaphoreGive (mutex)", HOLDS_INTERRUPTS)                              \
    X(RECURSIVE_TAKE, "xSemaphoreTakeRecursive", HOLDS_INTERRUPTS)                         \
    X(RECURSIVE_GIVE, "xSemaphoreGiveRecursive", HOLDS_INTERRUPTS)                         \
    X(NOTIFY_GIVE, "xTaskNotifyGive", HOLDS_INTERRUPTS)                                    \
    X(NOTIFY_TAKE, "ulTaskNotifyTake", HOLDS_INTERRUPTS | HOLDS_SCHEDULER)                 \
    X(EVENT_SET, "xEventGroupSetBits", HOLDS_SCHEDULER)                                    \
    X(EVENT_WAIT, "xEventGroupWaitBits", HOLDS_SCHEDULER)                                  \
    X(EVENT_CLEAR, "xEventGroupClearBits", HOLDS_INTERRUPTS)                               \
    X(STREAM_SEND, "xStreamBufferSend", HOLDS_INTERRUPTS | HOLDS_SCHEDULER)                \
    X(STREAM_RECEIVE, "xStreamBufferReceive", HOLDS_INTERRUPTS | HOLDS_SCHEDULER)          \
    X(MESSAGE_SEND, "xMessageBufferSend", HOLDS_INTERRUPTS | HOLDS_SCHEDULER)              \
    X(MESSAGE_RECEIVE, "xMessageBufferReceive", HOLDS_INTERRUPTS | HOLDS_SCHEDULER)        \
    X(MALLOC, "pvPortMalloc", HOLDS_SCHEDULER)                                             \
    X(FREE, "vPortFree", HOLDS_SCHEDULER)                                                  \
    X(TIMER_START, "xTimerStart", HOLDS_INTERRUPTS | HOLDS_SCHEDULER)                      \
    X(TIMER_STOP, "xTimerStop", HOLDS_INTERRUPTS | HOLDS_SCHEDULER)                        \
    X(PEND_CALL, "xTimerPendFunctionCall", HOLDS_INTERRUPTS | HOLDS_SCHEDULER)             \
    X(SUSPEND_ALL, "vTaskSuspendAll … xTaskResumeAll", HOLDS_INTERRUPTS | HOLDS_SCHEDULER) \
    X(CRITICAL, "taskENTER_CRITICAL … taskEXIT_CRITICAL", HOLDS_INTERRUPTS)

DEFINE_FACILITIES(FACILITIES)

#define DO(self, id, call) \
    CALL(self, id, ({      \
             call;         \
             true;         \
         }))

enum { QUEUE_LENGTH = 4, ITEM_BYTES = 32, STREAM_BYTES = 64 };

static QueueHandle_t queue, empty_queue;
static SemaphoreHandle_t semaphore, mutex, recursive;
static EventGroupHandle_t events;
static StreamBufferHandle_t stream;
static MessageBufferHandle_t messages;
static TimerHandle_t timer;
static TaskHandle_t victim;

static void never_run(void *unused) {
    (void)unused;
    for (;;)
        vTaskSuspend(NULL);
}

/* The task that others act on; it waits for a notification all its life, and outranks those others,
 * so that what it does is done within their calls. */
static void suffer(void *unused) {
    (void)unused;
    for (;;)
        ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
}

static void nothing(void *unused, uint32_t value) {
    (void)unused;
    (void)value;
}

static void expired(TimerHandle_t unused) {
    (void)unused;
    busy_periods++;
}

/* Sections with nothing in them: what they hold others back for is the kernel's alone. */

static void lock_scheduler(struct background *self) {
    DO(self, SUSPEND_ALL, (vTaskSuspendAll(), xTaskResumeAll()));
}

static void mask_interrupts(struct background *self) {
    DO(self, CRITICAL, ({
           taskENTER_CRITICAL();
           taskEXIT_CRITICAL();
       }));
}

/* Tasks. */

static void create_and_delete(struct background *self) {
    TaskHandle_t made;
    if (CALL(self, TASK_CREATE,
             xTaskCreate(never_run, "made", EXTRA_STACK, NULL, 0, &made) == pdPASS))
        DO(self, TASK_DELETE, vTaskDelete(made));
}

static void suspend_and_resume(struct background *self) {
    DO(self, TASK_SUSPEND, vTaskSuspend(victim));
    DO(self, TASK_RESUME, vTaskResume(victim));
}

static void change_priority(struct background *self) {
    DO(self, PRIORITY_SET, vTaskPrioritySet(victim, RANK_CONTROL));
    DO(self, PRIORITY_SET, vTaskPrioritySet(victim, RANK_TEST));
}

static void find_and_wake(struct background *self) {
    DO(self, GET_HANDLE, xTaskGetHandle("victim"));
    DO(self, ABORT_DELAY, xTaskAbortDelay(victim)); /* it may be ready: then it only looks */
}

static void yield(struct background *self) {
    DO(self, YIELD, taskYIELD());
}

/* Until the tick, as vTaskDelay and as a wait at a queue that ends without an item. */

static void delay(struct background *self, uint32_t tick) {
    uint32_t ticks = tick - xTaskGetTickCount();
    if ((int32_t)ticks > 0)
        DO(self, DELAY, vTaskDelay(ticks));
}

static void wait_at_queue(struct background *self, uint32_t tick) {
    uint8_t item;
    uint32_t ticks = tick - xTaskGetTickCount();
    if ((int32_t)ticks > 0)
        DO(self, QUEUE_WAIT, xQueueReceive(empty_queue, &item, ticks));
}

/* Queues. */

static void send_and_receive(struct background *self) {
    uint8_t item[ITEM_BYTES] = {0};
    CALL(self, QUEUE_SEND, xQueueSend(queue, item, 0) == pdTRUE);
    CALL(self, QUEUE_PEEK, xQueuePeek(queue, item, 0) == pdTRUE);
    CALL(self, QUEUE_RECEIVE, xQueueReceive(queue, item, 0) == pdTRUE);
}

static void reset_queue(struct background *self) {
    DO(self, QUEUE_RESET, xQueueReset(queue));
}

static void take_and_give(struct background *self) {
    if (CALL(self, SEMAPHORE_TAKE, xSemaphoreTake(semaphore, 0) == pdTRUE))
        CALL(self, SEMAPHORE_GIVE, xSemaphoreGive(semaphore) == pdTRUE);
}

/* Mutexes and notifications. */

static void lock_and_unlock(struct background *self) {
    if (CALL(self, MUTEX_TAKE, xSemaphoreTake(mutex, 0) == pdTRUE))
        CALL(self, MUTEX_GIVE, xSemaphoreGive(mutex) == pdTRUE);
}

static void lock_twice(struct background *self) {
    for (int i = 0; i < 2; i++)
        CALL(self, RECURSIVE_TAKE, xSemaphoreTakeRecursive(recursive, 0) == pdTRUE);
    for (int i = 0; i < 2; i++)
        CALL(self, RECURSIVE_GIVE, xSemaphoreGiveRecursive(recursive) == pdTRUE);
}

static void notify(struct background *self) {
    CALL(self, NOTIFY_GIVE, xTaskNotifyGive(victim) == pdPASS);
    DO(self, NOTIFY_TAKE, ulTaskNotifyTake(pdTRUE, 0));
}

/* Event groups, stream and message buffers. */

static void set_and_wait(struct background *self) {
    DO(self, EVENT_SET, xEventGroupSetBits(events, 5));
    DO(self, EVENT_WAIT, xEventGroupWaitBits(events, 5, pdTRUE, pdTRUE, 0));
    DO(self, EVENT_CLEAR, xEventGroupClearBits(events, 7));
}

static void stream_bytes(struct background *self) {
    uint8_t bytes[16] = {0};
    CALL(self, STREAM_SEND, xStreamBufferSend(stream, bytes, sizeof bytes, 0) == sizeof bytes);
    CALL(self, STREAM_RECEIVE, xStreamBufferReceive(stream, bytes, sizeof bytes, 0) != 0);
}

static void pass_message(struct background *self) {
    uint8_t bytes[12] = {0};
    CALL(self, MESSAGE_SEND, xMessageBufferSend(messages, bytes, sizeof bytes, 0) == sizeof bytes);
    CALL(self, MESSAGE_RECEIVE, xMessageBufferReceive(messages, bytes, sizeof bytes, 0) != 0);
}

/* Memory and timers. The thread has the priority of the timer service, which does what it was asked
 * for when the thread yields. So the thread takes that for its own time. */

static void allocate_and_free(struct background *self) {
    void *memory;
    if (CALL(self, MALLOC, (memory = pvPortMalloc(16 + next_random(&self->random) % 128)) != NULL))
        DO(self, FREE, vPortFree(memory));
}

static void start_and_stop_timer(struct background *self) {
    CALL(self, TIMER_START, xTimerStart(timer, 0) == pdPASS);
    CALL(self, TIMER_STOP, xTimerStop(timer, 0) == pdPASS);
    yield(self);
}

static void pend_call(struct background *self) {
    CALL(self, PEND_CALL, xTimerPendFunctionCall(nothing, NULL, 0, 0) == pdPASS);
    yield(self);
}

static const struct step of_tasks[] = {{create_and_delete}, {suspend_and_resume},
                                       {change_priority},   {find_and_wake},
                                       {lock_scheduler},    {mask_interrupts}};
static const struct step of_queues[] = {
    {send_and_receive}, {reset_queue}, {take_and_give}, {lock_scheduler}, {mask_interrupts}};
static const struct step of_mutexes[] = {{lock_and_unlock}, {lock_twice},     {notify},
                                         {yield},           {lock_scheduler}, {mask_interrupts}};
static const struct step of_events[] = {
    {set_and_wait}, {stream_bytes}, {pass_message}, {lock_scheduler}, {mask_interrupts}};
static const struct step of_memory[] = {
    {allocate_and_free}, {start_and_stop_timer}, {pend_call}, {lock_scheduler}, {mask_interrupts}};

static bool create_objects(void) {
    queue = xQueueCreate(QUEUE_LENGTH, ITEM_BYTES);
    empty_queue = xQueueCreate(1, 1);
    semaphore = xSemaphoreCreateCounting(2, 1);
    mutex = xSemaphoreCreateMutex();
    recursive = xSemaphoreCreateRecursiveMutex();
    events = xEventGroupCreate();
    stream = xStreamBufferCreate(STREAM_BYTES, 1);
    messages = xMessageBufferCreate(STREAM_BYTES);
    timer = xTimerCreate("timer", 2, pdTRUE, NULL, expired);
    victim = NULL;
    return queue && empty_queue && semaphore && mutex && recursive && events && stream &&
           messages && timer &&
           xTaskCreate(suffer, "victim", EXTRA_STACK, NULL, RANK_TEST, &victim) == pdPASS;
}

bool background_set_up(struct background threads[BACKGROUND_THREADS]) {
    static const struct background all[BACKGROUND_THREADS] = {
        STEPS(of_tasks), STEPS(of_queues), STEPS(of_mutexes), STEPS(of_events), STEPS(of_memory)};
    for (int i = 0; i < BACKGROUND_THREADS; i++)
        threads[i] = all[i];
    threads[1].wait = wait_at_queue;
    threads[3].wait = delay;
    return create_objects();
}

static void delete_queue(QueueHandle_t one) {
    if (one != NULL)
        vQueueDelete(one);
}

/* The timer is deleted by its daemon, which gets the processor when the monitor sleeps. */
static void delete_timer(void) {
    if (timer == NULL)
        return;
    while (xTimerDelete(timer, 0) != pdPASS)
        vTaskDelay(1);
    vTaskDelay(1);
}

void background_tear_down(void) {
    if (victim != NULL)
        vTaskDelete(victim);
    delete_timer();
    delete_queue(queue);
    delete_queue(empty_queue);
    delete_queue(semaphore);
    delete_queue(mutex);
    delete_queue(recursive);
    if (events != NULL)
        vEventGroupDelete(events);
    if (stream != NULL)
        vStreamBufferDelete(stream);
    if (messages != NULL)
        vMessageBufferDelete(messages);
}
