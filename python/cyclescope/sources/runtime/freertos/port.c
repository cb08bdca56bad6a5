/* FreeRTOS for counted programs: tasks are contexts of one thread, and the clock is that of the
 * estimate. It advances by the cycles of each region and of each call, and jumps to the next tick
 * when all tasks wait. So which task runs when does not depend on this machine.
 *
 * Time in the kernel is cut into passagees: from a call of a task to the return to a task, which
 * may be another one. A passage is recorded where its call is, once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "FreeRTOS.h"
#include "task.h"
#include "timers.h"

#include "counted_kernel.h"

#define STACK_BYTES ((size_t)1 << 18)
#define MOST_IDLE_TICKS 100000000
/* One pass of the idle task's loop, which looks for deleted tasks and yields. */
#define IDLE_LOOP_CYCLES 60

/* The call that a task has made; `waits` if it does not run because its call waits. */
struct call {
    int function;
    int waits;
    unsigned detail;
    unsigned long bytes;
};

struct task {
    ucontext_t context;
    TaskFunction_t code;
    void *argument;
    struct cyclescope_slot *next_call;
    uint32_t nesting;
    unsigned depth;
    struct call call;
    int is_kernel;
    struct task *free;
};

/* Kernel code since a call, until a task goes on. */
static struct {
    int open;
    int function;
    struct cyclescope_slot *slot;
    struct task *task;
    unsigned events, detail;
    unsigned long bytes, woken, list_steps, heap_steps, switches;
} passage;

struct timer {
    void *timer;
    TimerCallbackFunction_t callback;
    struct timer *next;
};

extern struct task **volatile pxCurrentTCB;
static struct task *free_tasks;
static struct timer *timers;
static int started, starting, idle_yielded;
static unsigned idle_ticks;
static struct cyclescope_slot *scheduler;
/* Those of the task that runs. */
static uint32_t nesting = 9999;
static unsigned depth;
static struct call call;

static struct task *current(void) {
    return started && pxCurrentTCB ? *pxCurrentTCB : NULL;
}

static void open_passage(int of, unsigned detail, unsigned long bytes,
                         struct cyclescope_slot *slot) {
    memset(&passage, 0, sizeof passage);
    passage.open = 1;
    passage.function = of;
    passage.slot = slot;
    passage.task = current();
    passage.detail = detail;
    passage.bytes = bytes;
    if (started && xTaskGetSchedulerState() == taskSCHEDULER_SUSPENDED)
        passage.events |= EVENT_SUSPENDED;
}

/* Ends a passage in front of a task that goes on in `in`, and lets its time pass. */
static void close_passage(int in) {
    if (!passage.open)
        return;
    passage.open = 0;
    if (in != KERNEL_idle)
        idle_ticks = 0;
    if (passage.task != current())
        passage.events |= EVENT_OTHER_TASK;
    else if (passage.switches)
        passage.events |= EVENT_SWITCHED;
    long long value[6] = {
        passage.function | (long long)in << 16,
        passage.events | (long long)passage.detail << 16 | (long long)passage.woken << 32,
        (long long)passage.bytes,
        (long long)(passage.list_steps & 0xffff) | (long long)(passage.heap_steps & 0xffff) << 16 |
            (long long)passage.switches << 32,
    };
    if (passage.switches && in == call.function) {
        value[4] = call.detail | (long long)call.waits << 16;
        value[5] = (long long)call.bytes;
    }
    if (passage.slot)
        cyclescope_called(passage.slot, value[0], value[1], value[2], value[3], value[4], value[5]);
    if (started)
        cyclescope_left -= cyclescope_price(value);
}

static void switch_tasks(void) {
    struct task *from = current();
    vTaskSwitchContext();
    struct task *to = current();
    if (from == to)
        return;
    passage.switches++;
    from->next_call = cyclescope_next;
    from->nesting = nesting;
    from->depth = depth;
    from->call = call;
    from->call.waits =
        (!passage.woken || passage.events & EVENT_INHERITED) && passage.function != KERNEL_tick;
    cyclescope_next = to->next_call;
    nesting = to->nesting;
    depth = to->depth;
    call = to->call;
    swapcontext(&from->context, &to->context);
}

static void interrupt(void) {
    cyclescope_left += cyclescope_tick_cycles;
    depth++;
    open_passage(KERNEL_tick, 0, 0, scheduler);
    if (xTaskIncrementTick())
        switch_tasks();
    depth--;
}

/* Ticks that are due, where an interrupt is possible. */
void cyclescope_tick(void) {
    while (cyclescope_left <= 0 && started && !depth && !nesting) {
        interrupt();
        close_passage(KERNEL_interrupted);
    }
}

void cyclescope_kernel_enter(int of, unsigned detail, unsigned long bytes) {
    if (depth++)
        return;
    call = (struct call){.function = of, .detail = detail, .bytes = bytes};
    open_passage(of, detail, bytes, cyclescope_next);
    if (of == KERNEL_vTaskStartScheduler) {
        starting = 1;
        scheduler = cyclescope_next;
    }
}

void cyclescope_kernel_leave(long result) {
    if (--depth)
        return;
    if (!result && passage.open && !passage.switches)
        passage.events |= EVENT_FAILED;
    close_passage(call.function);
    cyclescope_tick();
}

void *cyclescope_kernel_current(void) {
    return started ? (void *)pxCurrentTCB : NULL;
}

void cyclescope_kernel_event(unsigned event) {
    passage.events |= event;
}

void cyclescope_kernel_woken(void) {
    passage.woken++;
}

void cyclescope_kernel_heap(unsigned long steps, unsigned event) {
    passage.heap_steps += steps;
    passage.events |= event;
}

void cyclescope_kernel_inserted(const void *list, const void *item) {
    const List_t *in = list;
    const ListItem_t *new = item, *at = (const ListItem_t *)&in->xListEnd;
    while (new->xItemValue != portMAX_DELAY && at->pxNext->xItemValue <= new->xItemValue &&
           at->pxNext != (const ListItem_t *)&in->xListEnd) {
        at = at->pxNext;
        passage.list_steps++;
    }
}

/* A timer's function is called by the daemon: the kernel's time ends there, and begins again. */
static void timer_expired(TimerHandle_t timer) {
    const struct timer *one = timers;
    while (one->timer != timer)
        one = one->next;
    close_passage(KERNEL_callback);
    depth = 0;
    struct cyclescope_slot *before = cyclescope_next;
    cyclescope_next = &cyclescope_root;
    one->callback(timer);
    cyclescope_next = before;
    depth = 1;
    open_passage(KERNEL_callback, 0, 0, scheduler);
}

void cyclescope_kernel_timer(void *timer, void *callback) {
    struct timer *one = timers;
    while (one && one->timer != timer)
        one = one->next;
    if (!one) {
        one = cyclescope_space(sizeof *one);
        *one = (struct timer){.timer = timer, .next = timers};
        timers = one;
    }
    TimerCallbackFunction_t *place = callback;
    one->callback = *place;
    *place = timer_expired;
}

static void begin(void) {
    struct task *task = current();
    if (!task->is_kernel) {
        close_passage(KERNEL_start);
        cyclescope_tick();
    }
    task->code(task->argument);
    fputs("a task has returned from its function\n", stderr);
    _exit(126);
}

/* The kernel keeps what this returns where a port keeps the top of the stack. */
StackType_t *pxPortInitialiseStack(StackType_t *top, TaskFunction_t code, void *argument) {
    struct task *task = free_tasks;
    (void)top;
    if (task)
        free_tasks = task->free;
    else
        task = cyclescope_space(sizeof *task + STACK_BYTES);
    *task = (struct task){.code = code, .argument = argument, .is_kernel = starting};
    task->depth = (unsigned)starting;
    task->next_call = &cyclescope_root;
    getcontext(&task->context);
    task->context.uc_stack.ss_sp = task + 1;
    task->context.uc_stack.ss_size = STACK_BYTES;
    makecontext(&task->context, begin, 0);
    return (StackType_t *)task;
}

void counted_clean_up(void *tcb) {
    struct task *task = *(struct task **)tcb;
    task->free = free_tasks;
    free_tasks = task;
}

BaseType_t xPortStartScheduler(void) {
    started = 1;
    starting = 0;
    cyclescope_left = cyclescope_tick_cycles;
    struct task *first = current();
    cyclescope_next = first->next_call;
    nesting = first->nesting;
    depth = first->depth;
    setcontext(&first->context);
    return pdFALSE;
}

void vPortEndScheduler(void) {}

void vPortYield(void) {
    int is_call = !depth;
    if (is_call)
        cyclescope_kernel_enter(KERNEL_yield, 0, 0);
    int is_idle = current() == *(struct task **)xTaskGetIdleTaskHandle();
    switch_tasks();
    idle_yielded = is_idle;
    if (is_call)
        cyclescope_kernel_leave(1);
}

void vPortEnterCritical(void) {
    int is_call = !depth;
    if (is_call)
        cyclescope_kernel_enter(KERNEL_enter_critical, nesting != 0, 0);
    nesting++;
    if (is_call)
        cyclescope_kernel_leave(1);
}

void vPortExitCritical(void) {
    int is_call = !depth;
    if (is_call)
        cyclescope_kernel_enter(KERNEL_exit_critical, nesting > 1, 0);
    nesting--;
    if (is_call)
        cyclescope_kernel_leave(1);
}

/* Idle until the next tick, unless another task of the lowest priority has just run. */
void vApplicationIdleHook(void) {
    close_passage(KERNEL_idle);
    if (idle_yielded) {
        idle_yielded = 0;
        cyclescope_left -= IDLE_LOOP_CYCLES * CLOCK_PARTS;
        return;
    }
    if (++idle_ticks > MOST_IDLE_TICKS) {
        fputs("all tasks wait for ever\n", stderr);
        _exit(126);
    }
    if (cyclescope_left > 0) {
        cyclescope_idled(scheduler, KERNEL_idle, cyclescope_left / CLOCK_PARTS);
        cyclescope_left = 0;
    }
    interrupt();
    if (passage.open && passage.function == KERNEL_tick && !passage.switches)
        close_passage(KERNEL_idle);
}
