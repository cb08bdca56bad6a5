/* The state of a kernel's object when a call begins, and what happens in the call: both decide how
 * long it takes. They are seen at the kernel's own trace points. */
#ifndef KERNEL_STATE_H
#define KERNEL_STATE_H

/* Events of a passage of kernel code, in the low half of the second value that is recorded. */
enum {
    EVENT_OTHER_TASK = 1, /* another task goes on */
    EVENT_SWITCHED = 2,   /* tasks have run between, and the caller goes on */
    EVENT_FAILED = 4,     /* the call gives zero */
    EVENT_INHERITED = 8,
    EVENT_DISINHERITED = 16,
    EVENT_ALLOCATED = 32,
    EVENT_FREED = 64,
    EVENT_JOINED_NEXT = 128,
    EVENT_JOINED_PREVIOUS = 256,
    EVENT_TIMER_EXPIRED = 512,
    EVENT_SUSPENDED = 1024, /* the scheduler was suspended when the call began */
};

/* Details of a call; of queues: */
enum {
    DETAIL_FULL = 1,
    DETAIL_EMPTY = 2,
    DETAIL_SEMAPHORE = 4,
    DETAIL_MUTEX = 8,
    DETAIL_FRONT = 16,
    DETAIL_OVERWRITE = 32,
    DETAIL_HELD = 64, /* a recursive mutex stays held */
};

/* Of streams. */
enum { DETAIL_MESSAGE = 1, DETAIL_OVER_END = 2, DETAIL_NO_SPACE = 4, DETAIL_MAY_WAIT = 8 };

/* Of both: bytes are copied from or to an address beside a word. */
enum { DETAIL_BESIDE = 128 };

void cyclescope_kernel_enter(int function, unsigned detail, unsigned long bytes);
void cyclescope_kernel_leave(long result);
void cyclescope_kernel_event(unsigned event);
void cyclescope_kernel_woken(void);
void *cyclescope_kernel_current(void);
void cyclescope_kernel_inserted(const void *list, const void *item);
void cyclescope_kernel_timer(void *timer, void *callback);

#define traceENTER_xQueueGenericSend(queue, item, wait, position)      \
    QUEUE_CALL(xQueueGenericSend,                                      \
               ((position) == queueSEND_TO_FRONT ? DETAIL_FRONT : 0) | \
                   queue_beside(queue_written(pxQueue, position)),     \
               position)
#define traceENTER_xQueueGenericSendFromISR(queue, item, woken, position)                     \
    QUEUE_CALL(xQueueGenericSendFromISR, (position) == queueSEND_TO_FRONT ? DETAIL_FRONT : 0, \
               position)
#define traceENTER_xQueueGiveFromISR(queue, woken) QUEUE_CALL(xQueueGiveFromISR, 0, 0)
#define traceENTER_xQueueReceive(queue, buffer, wait) \
    QUEUE_CALL(xQueueReceive, queue_beside(queue_read(pxQueue)), 0)
#define traceENTER_xQueuePeek(queue, buffer, wait) \
    QUEUE_CALL(xQueuePeek, queue_beside(queue_read(pxQueue)), 0)
#define traceENTER_xQueueSemaphoreTake(queue, wait) QUEUE_CALL(xQueueSemaphoreTake, 0, 0)
#define traceENTER_xQueueReceiveFromISR(queue, buffer, woken) QUEUE_CALL(xQueueReceiveFromISR, 0, 0)
#define traceENTER_xQueueTakeMutexRecursive(mutex, wait) \
    cyclescope_kernel_enter(                             \
        KERNEL_xQueueTakeMutexRecursive,                 \
        pxMutex->u.xSemaphore.xMutexHolder == cyclescope_kernel_current() ? DETAIL_HELD : 0, 0)
#define traceENTER_xQueueGiveMutexRecursive(mutex)           \
    cyclescope_kernel_enter(KERNEL_xQueueGiveMutexRecursive, \
                            pxMutex->u.xSemaphore.uxRecursiveCallCount > 1 ? DETAIL_HELD : 0, 0)
#define traceENTER_vQueueDelete(queue) \
    cyclescope_kernel_enter(KERNEL_vQueueDelete, 0, pxQueue->uxMessagesWaiting)
#define traceENTER_xQueueGenericCreate(length, size, type) \
    cyclescope_kernel_enter(KERNEL_xQueueGenericCreate, (size) ? 0 : DETAIL_SEMAPHORE, length)
#define QUEUE_CALL(name, extra, position)                                         \
    cyclescope_kernel_enter(                                                      \
        KERNEL_##name,                                                            \
        (extra) | ((position) == queueOVERWRITE ? DETAIL_OVERWRITE : 0) |         \
            (pxQueue->uxMessagesWaiting == pxQueue->uxLength ? DETAIL_FULL : 0) | \
            (pxQueue->uxMessagesWaiting ? 0 : DETAIL_EMPTY) |                     \
            (pxQueue->uxItemSize ? 0 : DETAIL_SEMAPHORE) |                        \
            (pxQueue->uxQueueType == queueQUEUE_IS_MUTEX ? DETAIL_MUTEX : 0),     \
        pxQueue->uxItemSize)

/* The slot of the next message. The other end of the copy is the caller's: the target's compiler
 * begins structures and arrays at words. */
#define queue_written(queue, position) \
    ((position) == queueSEND_TO_BACK ? (queue)->pcWriteTo : (queue)->u.xQueue.pcReadFrom)
#define queue_read(queue)                                                           \
    ((queue)->u.xQueue.pcReadFrom + (queue)->uxItemSize >= (queue)->u.xQueue.pcTail \
         ? (queue)->pcHead                                                          \
         : (queue)->u.xQueue.pcReadFrom + (queue)->uxItemSize)
#define queue_beside(slot) (pxQueue->uxItemSize && ((unsigned long)(slot)&3) ? DETAIL_BESIDE : 0)

#define traceENTER_xStreamBufferSend(buffer, data, length, wait)                                \
    cyclescope_kernel_enter(                                                                    \
        KERNEL_xStreamBufferSend,                                                               \
        ((pxStreamBuffer->ucFlags & 1) ? DETAIL_MESSAGE : 0) | ((wait) ? DETAIL_MAY_WAIT : 0) | \
            (stream_space(pxStreamBuffer) < (length) ? DETAIL_NO_SPACE : 0) |                   \
            stream_beside(pxStreamBuffer, xHead, data) |                                        \
            (pxStreamBuffer->xHead + (length) > pxStreamBuffer->xLength ? DETAIL_OVER_END : 0), \
        length)
#define traceENTER_xStreamBufferReceive(buffer, data, length, wait)                             \
    cyclescope_kernel_enter(                                                                    \
        KERNEL_xStreamBufferReceive,                                                            \
        ((pxStreamBuffer->ucFlags & 1) ? DETAIL_MESSAGE : 0) | ((wait) ? DETAIL_MAY_WAIT : 0) | \
            stream_beside(pxStreamBuffer, xTail, data) |                                        \
            (pxStreamBuffer->xHead < pxStreamBuffer->xTail && pxStreamBuffer->xHead             \
                 ? DETAIL_OVER_END                                                              \
                 : 0),                                                                          \
        stream_filled(pxStreamBuffer, length))
#define stream_beside(buffer, at, data)                                                \
    ((((unsigned long)(buffer)->pucBuffer + (buffer)->at) | (unsigned long)(data)) & 3 \
         ? DETAIL_BESIDE                                                               \
         : 0)
#define stream_space(buffer)                                                           \
    (((buffer)->xTail + (buffer)->xLength - (buffer)->xHead - 1) % (buffer)->xLength - \
     (((buffer)->ucFlags & 1) ? 4 : 0))
#define stream_filled(buffer, most)                                                      \
    ({                                                                                   \
        size_t filled =                                                                  \
            ((buffer)->xLength + (buffer)->xHead - (buffer)->xTail) % (buffer)->xLength; \
        filled -= ((buffer)->ucFlags & 1) && filled ? 4 : 0;                             \
        filled < (most) ? filled : (most);                                               \
    })

#define traceENTER_xEventGroupSetBits(group, bits) \
    cyclescope_kernel_enter(                       \
        KERNEL_xEventGroupSetBits, 0,              \
        listCURRENT_LIST_LENGTH(&((EventGroup_t *)(group))->xTasksWaitingForBits))
#define traceENTER_xEventGroupWaitBits(group, bits, clear, all, wait) \
    cyclescope_kernel_enter(KERNEL_xEventGroupWaitBits, ((clear) ? 1 : 0) | ((all) ? 2 : 0), 0)
#define traceENTER_xEventGroupSync(group, set, bits, wait) \
    cyclescope_kernel_enter(                               \
        KERNEL_xEventGroupSync, 0,                         \
        listCURRENT_LIST_LENGTH(&((EventGroup_t *)(group))->xTasksWaitingForBits))
#define traceENTER_xTaskGenericNotify(task, index, value, action, previous) \
    cyclescope_kernel_enter(KERNEL_xTaskGenericNotify, action, 0)
#define traceENTER_xTimerGenericCommandFromTask(timer, command, value, woken, wait) \
    cyclescope_kernel_enter(KERNEL_xTimerGenericCommandFromTask, command, 0)
#define traceENTER_vTaskDelete(task) cyclescope_kernel_enter(KERNEL_vTaskDelete, !(task), 0)
#define traceENTER_vTaskSuspend(task) cyclescope_kernel_enter(KERNEL_vTaskSuspend, !(task), 0)
#define traceENTER_vTaskPrioritySet(task, priority) \
    cyclescope_kernel_enter(KERNEL_vTaskPrioritySet, !(task), 0)
#define traceENTER_vTaskDelay(ticks) cyclescope_kernel_enter(KERNEL_vTaskDelay, !(ticks), 0)

#define traceTASK_PRIORITY_INHERIT(holder, priority) cyclescope_kernel_event(EVENT_INHERITED)
#define traceTASK_PRIORITY_DISINHERIT(holder, priority) cyclescope_kernel_event(EVENT_DISINHERITED)
#define traceMOVED_TASK_TO_READY_STATE(task) cyclescope_kernel_woken()
#define traceENTER_vListInsert(list, item) cyclescope_kernel_inserted(list, item)
#define traceTIMER_CREATE(timer) cyclescope_kernel_timer(timer, &(timer)->pxCallbackFunction)
#define traceTIMER_EXPIRED(timer) cyclescope_kernel_event(EVENT_TIMER_EXPIRED)

#endif
