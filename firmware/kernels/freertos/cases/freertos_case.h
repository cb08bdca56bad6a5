/* Shared by the FreeRTOS cases: priorities, heap_4's bytes for each type of object,
 * helper tasks (company.c, gate.c), objects that a case creates (created.c), answers. */
#ifndef FREERTOS_CASE_H
#define FREERTOS_CASE_H

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#include "case.h"
#include "port_calls.h"

/* The harness never blocks of itself, so a task below it runs only when a case lets it. */
enum { PRIORITY_LOAD = 1, PRIORITY_HARNESS = 2, PRIORITY_WOKEN = 3 };

enum { HELPER_STACK_WORDS = STACK_WORDS_HELPER }; /* of tasks that run during a case */

/* A block of heap_4: its header, a pointer and a size, rounded up. */
#define BLOCK_BYTES(size)                                                   \
    (((size) + sizeof(void *) + sizeof(size_t) + portBYTE_ALIGNMENT_MASK) & \
     ~(uint32_t)portBYTE_ALIGNMENT_MASK)
#define QUEUE_BYTES(length, item) BLOCK_BYTES(sizeof(StaticQueue_t) + (length) * (item))
#define TASK_BYTES(words) \
    (BLOCK_BYTES(sizeof(StaticTask_t)) + BLOCK_BYTES((words) * sizeof(StackType_t)))
#define PARTNER_BYTES TASK_BYTES(HELPER_STACK_WORDS)
#define CROWD_BYTES(count, words) \
    (BLOCK_BYTES((count) * sizeof(TaskHandle_t)) + (count)*TASK_BYTES(words))

#define LIBRARY .library = "kernel"
#define FROM_ISR LIBRARY, .flags = CASE_INTERRUPT

/* The harness's task, once a partner was started. */
extern TaskHandle_t caller;

/* One other task. Above the harness it runs at once, up to where it blocks. Below, its first call,
 * xTaskAbortDelay(caller), gives the processor back, and returns when the caller blocks again. */
extern TaskHandle_t partner;
bool start_partner(TaskFunction_t body, UBaseType_t priority);
bool start_partner_below(TaskFunction_t body);
void stop_partner(void);

/* The same, of a task that blocks by itself: from there on it is below the harness. Its .after: it
 * was woken, and blocks again. */
bool start_waiter_below(TaskFunction_t body);
bool block_again(const struct series *series, uintptr_t passed);

/* Hooks of a case that has a partner and nothing else; start_ready() is of one that never runs. */
uint32_t partner_bytes(const struct series *series);
bool start_ready(const struct series *series);
void delete_partner(const struct series *series);

/* A queue at which tasks wait for a message that never comes; wait_at_gate() is their body. */
#define GATE_BYTES QUEUE_BYTES(1, sizeof(uint32_t))
bool create_gate(void);
void delete_gate(void);
void wait_at_gate(void *unused);

/* Hooks of a case whose partner waits there. */
uint32_t gate_bytes(const struct series *series);
bool start_at_gate(const struct series *series);
void delete_at_gate(const struct series *series);

/* Many others. */
enum { MOST_IN_CROWD = 16 };
extern TaskHandle_t *crowd;
bool start_crowd(TaskFunction_t body, uint32_t count, UBaseType_t priority, uint16_t stack_words);
bool start_crowd_below(TaskFunction_t body, uint32_t count); /* each ran until it blocked */
void stop_crowd(void);

/* Lets a task run until it blocks; from then on it has PRIORITY_LOAD. */
void run_and_lower(TaskHandle_t task);
void run_crowd(void);
void run_timer_daemon(void);

/* The body of a task that is never meant to run. */
void never_run(void *unused);

/* The objects that a case creates, as many as the series is long. NULL is one that is not there.
 * A case that creates them has create_none() for its .set_up, has_created() for its .after. */
extern void **created;
bool create_none(const struct series *series);
bool has_created(const struct series *series, uintptr_t handle);

/* Defines the other two hooks, created_bytes() and delete_created(): an object takes `object_bytes`
 * of heap, and `delete_it` deletes `one`. */
#define CREATED(object_bytes, delete_it)                                                        \
    static uint32_t created_bytes(const struct series *series) {                                \
        return BLOCK_BYTES(series->length * sizeof *created) + series->length * (object_bytes); \
    }                                                                                           \
    static void delete_created(const struct series *series) {                                   \
        for (uint16_t i = 0; created != NULL && i < series->length; i++) {                      \
            void *one = created[i];                                                             \
            if (one != NULL)                                                                    \
                delete_it;                                                                      \
        }                                                                                       \
        vPortFree(created);                                                                     \
    }

/* The object that a case deletes. It is created again, in the same place of the heap, before the
 * next call, so that every call of a series meets the same heap. So keep_object() puts a block in
 * use behind it, larger than any free block before it can take. The memory before it is in use too.
 */
enum { GUARD = 64 };
extern void *object;
bool keep_object(void *made);
void free_guard(void);

/* Defines the hooks of such a case: create_object(), its .set_up; create_object_again(), its
 * .after; delete_object(), its .tear_down; and object_bytes(). */
#define DELETED(bytes_of_one, create_it, delete_it)                                   \
    static uint32_t object_bytes(const struct series *series) {                       \
        return (bytes_of_one) + BLOCK_BYTES(GUARD);                                   \
    }                                                                                 \
    static bool create_object(const struct series *series) {                          \
        return keep_object(create_it);                                                \
    }                                                                                 \
    static bool create_object_again(const struct series *series, uintptr_t nothing) { \
        return (object = (create_it)) != NULL;                                        \
    }                                                                                 \
    static void delete_object(const struct series *series) {                          \
        if (object != NULL)                                                           \
            delete_it;                                                                \
        free_guard();                                                                 \
    }

/* A call's answer: pdTRUE or pdPASS; pdFALSE, pdFAIL, NULL or none; anything else. Each is a
 * case's .after (answers.c). */
bool is_true(const struct series *series, uintptr_t answer);
bool is_zero(const struct series *series, uintptr_t answer);
bool is_some(const struct series *series, uintptr_t answer);

/* Set by the ...FromISR functions: the interrupt has to end with a switch. */
extern BaseType_t woken;

/* The body of a task that makes one call for ever; a case that moves to it ends where the call
 * returns. */
#define RETURNS_FROM(body, case_name, call)             \
    static void body(void *unused) {                    \
        const volatile uint32_t *timer = probe_timer(); \
        for (;;) {                                      \
            call;                                       \
            MOVED_PROBE(timer, case_name);              \
        }                                               \
    }

#endif
