/* FreeRTOS as real-time figures use it: every function is the kernel's own call, inline. */
#ifndef PORT_H
#define PORT_H

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

#include "alarm.h"
#include "board.h"
#include "counts.h"
#include "kernel.h"
#include "line.h"
#include "probe.h"

/* The timer that all samples are read from, and a reading of it, which `label` names. */
#define CLOCK const volatile uint32_t *const clock_ = probe_timer()
#define NOW(label) PROBE(clock_, label)
#define LINE_NOW(label)                                          \
    ({                                                           \
        const volatile uint32_t *line_count_ = BOARD_LINE_COUNT; \
        __asm volatile("" : "+r"(line_count_));                  \
        PROBE(line_count_, label);                               \
    })

/* Sizes of stacks, in 32-bit words. */
enum { TEST_STACK = 80, LOAD_STACK = 128, EXTRA_STACK = 48 };

/* Of heap, left for what background threads and the test make while they run. */
enum { RESERVE_BYTES = 1536 };

#define PORT_LONG_TICKS 1000000000u

struct port_thread {
    TaskHandle_t handle;
};

struct port_semaphore {
    SemaphoreHandle_t handle;
};

static inline void *port_allocate(size_t bytes) {
    return pvPortMalloc(bytes == 0 ? 1 : bytes);
}

static inline void port_free(void *memory) {
    vPortFree(memory);
}

static inline bool port_start(struct port_thread *thread, const char *name, void (*body)(void *),
                              void *argument, UBaseType_t rank, uint16_t stack_words) {
    return xTaskCreate(body, name, stack_words, argument, rank, &thread->handle) == pdPASS;
}

/* Ends a thread that holds nothing, and forgets it; one that was never started is left alone. */
static inline void port_stop(struct port_thread *thread) {
    if (thread->handle != NULL)
        vTaskDelete(thread->handle);
    thread->handle = NULL;
}

/* heap_4: two blocks, each with a header of 8 bytes, in steps of 8; and the thread's own entry. */
static inline uint32_t port_task_bytes(uint16_t stack_words) {
    const uint32_t header = 8, step = 8;
    uint32_t stack =
        (stack_words * (uint32_t)sizeof(StackType_t) + header + step - 1) & ~(step - 1);
    uint32_t task = ((uint32_t)sizeof(StaticTask_t) + header + step - 1) & ~(step - 1);
    return stack + task + (uint32_t)sizeof(struct port_thread);
}

/* The monitor was made so. */
static inline void port_outrank(void) {}

/* The kernel ends a task wherever it is. */
static inline void port_may_end_anywhere(void) {}

static inline void port_yield(void) {
    taskYIELD();
}

static inline void port_sleep(uint32_t ticks) {
    vTaskDelay(ticks);
}

/* Until the kernel's tick count is `tick`, unless it has been. */
static inline void port_sleep_until(uint32_t tick) {
    int32_t left = (int32_t)(tick - xTaskGetTickCount());
    if (left > 0)
        vTaskDelay((TickType_t)left);
}

static inline uint32_t port_ticks_of_ms(uint32_t ms) {
    return (uint32_t)((uint64_t)ms * configTICK_RATE_HZ / 1000);
}

static inline void port_suspend_self(void) {
    vTaskSuspend(NULL);
}

static inline void port_resume(struct port_thread *thread) {
    vTaskResume(thread->handle);
}

static inline bool port_create(struct port_semaphore *semaphore, uint32_t count) {
    semaphore->handle = xSemaphoreCreateBinary();
    return semaphore->handle != NULL && (count == 0 || xSemaphoreGive(semaphore->handle) == pdTRUE);
}

static inline void port_delete(struct port_semaphore *semaphore) {
    if (semaphore->handle != NULL)
        vSemaphoreDelete(semaphore->handle);
    semaphore->handle = NULL;
}

static inline void port_take(struct port_semaphore *semaphore) {
    xSemaphoreTake(semaphore->handle, portMAX_DELAY);
}

static inline bool port_take_within(struct port_semaphore *semaphore, uint32_t ticks) {
    return xSemaphoreTake(semaphore->handle, ticks) == pdTRUE;
}

static inline bool port_try(struct port_semaphore *semaphore) {
    return xSemaphoreTake(semaphore->handle, 0) == pdTRUE;
}

static inline void port_give(struct port_semaphore *semaphore) {
    xSemaphoreGive(semaphore->handle);
}

/* The tick takes the processor from whoever has it; the port's timer counts PCLK up to it. */
#define PORT_TICKS_INTERRUPT 1

static inline uint32_t port_counts_to_tick(void) {
    return BOARD_COUNTS_TO_TICK * (TIMER_HZ / BOARD_PCLK_HZ);
}

/* Interrupts: the software's own source of the board's controller, and a line from outside. The
 * entries (entries.c) save the context and call the user's ISR. */
#define PORT_INTERRUPTS 1

extern BaseType_t switch_wanted;
void software_interrupt_entered(void);
void line_interrupt_entered(void);
void alarm_entered(void);

static inline void port_give_from_isr(struct port_semaphore *semaphore) {
    xSemaphoreGiveFromISR(semaphore->handle, &switch_wanted);
}

static inline bool port_try_from_isr(struct port_semaphore *semaphore) {
    return xSemaphoreTakeFromISR(semaphore->handle, &switch_wanted) == pdTRUE;
}

static inline void port_resume_from_isr(struct port_thread *thread) {
    switch_wanted |= xTaskResumeFromISR(thread->handle);
}

/* Whether the interrupt came while this thread had the processor. */
static inline bool port_runs(const struct port_thread *thread) {
    return xTaskGetCurrentTaskHandle() == thread->handle;
}

static inline void port_attach_software_interrupt(void) {
    board_attach_interrupt(software_interrupt_entered);
}

static inline void port_software_interrupt(void) {
    board_request_interrupt();
}

static inline void port_end_software_interrupt(void) {
    board_end_interrupt();
}

/* The alarm that the load's interrupts come from. */
static inline void port_attach_alarm(void) {
    board_attach_alarm(alarm_entered);
}

#define PORT_ALARM_HZ BOARD_LINE_HZ

static inline uint32_t port_alarm_now(void) {
    return *BOARD_ALARM_COUNT;
}

static inline int32_t port_counts_to_alarm(uint32_t count) {
    return counts_until(*BOARD_ALARM_COUNT, count);
}

static inline void port_set_alarm(uint32_t count) {
    board_set_alarm(count);
}

static inline void port_end_alarm(void) {
    board_end_alarm();
}

static inline void port_attach_line(void) {
    board_attach_line(line_interrupt_entered);
}

/* The software's own source enters where the line does. */
static inline void port_attach_rehearsed_line(void) {
    board_attach_interrupt(line_interrupt_entered);
}

static inline void port_detach_line(void) {
    board_detach_line();
}

static inline uint32_t port_line_rose(void) {
    return board_line_rose();
}

/* A count of the line's timer behind `rose`, as one that does not wrap. */
static inline uint32_t port_line_behind(uint32_t rose, uint32_t count) {
    return rose + counts_between(rose, count);
}

static inline void port_end_line_interrupt(void) {
    board_end_line_interrupt();
}

/* Nothing is refused to a program that owns the machine. */
static inline uint8_t port_remark_count(void) {
    return 0;
}

static inline const char *port_remark(uint8_t index) {
    (void)index;
    return NULL;
}

#endif
