/* What the FreeRTOS cases share: priorities, and what heap_4 takes for each kind of object. */
#ifndef FREERTOS_CASE_H
#define FREERTOS_CASE_H

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#include "case.h"

/* The harness never blocks, so a task below it never runs. */
enum { PRIORITY_LOAD = 1, PRIORITY_HARNESS = 2, PRIORITY_WOKEN = 3 };

enum { HELPER_STACK_WORDS = 96 }; /* of tasks that run during a case */

/* A block of heap_4: its header, rounded up. */
#define BLOCK_BYTES(size) (((size) + 8u + 7u) & ~7u)
#define QUEUE_BYTES(length, item) BLOCK_BYTES(sizeof(StaticQueue_t) + (length) * (item))
#define TASK_BYTES(words) \
    (BLOCK_BYTES(sizeof(StaticTask_t)) + BLOCK_BYTES((words) * sizeof(StackType_t)))

#define LIBRARY .library = "kernel"

#endif
