/* FreeRTOS for counted programs: tasks are contexts of one thread, and the clock is that of the
 * estimate. It advances by the cycles of each region and of each call, and jumps to the next tick
 * when all tasks wait. So which task runs when does not depend on this machine.
 *
 * Time in the kernel is cut into stretches: from a call of a task to the return to a task, which
 * may be another one. A stretch is recorded where its call is, once. */
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
/* A turn of the idle task's loop, which looks for deleted tasks and yields. */
#define IDLE_TURN_CYCLES 60

struct task {
    ucontext_t context;
    TaskFunction_t code;
    void *argument;
    struct cyclescope_slot *next_call;
    uint32_t nesting;
    unsigned depth;
    int function;
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
} stretch;

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
static int function;

static struct task *current(void) {
    return started && pxCurrentTCB ? *pxCurrentTCB : NULL;
}

static void open_stretch(int of, unsigned detail, unsigned long bytes,
                         struct cyclescope_slot *slot) {
    memset(&stretch, 0, sizeof stretch);
    stretch.open = 1;
    stretch.function = of;
    stretch.slot = slot;
    stretch.task = current();
    stretch.detail = detail;
    stretch.bytes = bytes;
    if (started && xTaskGetSchedulerState() == taskSCHEDULER_SUSPENDED)
        stretch.events |= EVENT_SUSPENDED;
}

/* Ends a stretch in front of a task that goes on in `in`, and lets its time pass. */
static void close_stretch(int in) {
    if (!stretch.open)
        return;
    stretch.open = 0;
    if (in != KERNEL_idle)
        idle_ticks = 0;
    if (stretch.task != current())
        stretch.events |= EVENT_OTHER_TASK;
    else if (stretch.switches)
        stretch.events |= EVENT_SWITCHED;
    long long value[4] = {
        stretch.function | (long long)in << 16,
        stretch.events | (long long)stretch.detail << 16 | (long long)stretch.woken << 32,
        (long long)stretch.bytes,
        (long long)(stretch.list_steps & 0xffff) | (long long)(stretch.heap_steps & 0xffff) << 16 |
            (long long)stretch.switches << 32,
    };
    if (stretch.slot)
        cyclescope_called(stretch.slot, value[0], value[1], value[2], value[3], 0, 0);
    if (started)
        cyclescope_left -= cyclescope_price(value);
}

static void switch_tasks(void) {
    struct task *from = current();
    vTaskSwitchContext();
    struct task *to = current();
    if (from == to)
        return;
    stretch.switches++;
    from->next_call = cyclescope_next;
    from->nesting = nesting;
    from->depth = depth;
    from->function = function;
    cyclescope_next = to->next_call;
    nesting = to->nesting;
    depth = to->depth;
    function = to->function;
    swapcontext(&from->context, &to->context);
}

static void interrupt(void) {
    cyclescope_left += cyclescope_tick_cycles;
    depth++;
    open_stretch(KERNEL_tick, 0, 0, scheduler);
    if (xTaskIncrementTick())
        switch_tasks();
    depth--;
}

/* Ticks that are due, where an interrupt is possible. */
void cyclescope_tick(void) {
    while (cyclescope_left <= 0 && started && !depth && !nesting) {
        interrupt();
        close_stretch(KERNEL_interrupted);
    }
}

void cyclescope_kernel_enter(int of, unsigned detail, unsigned long bytes) {
    if (depth++)
        return;
    function = of;
    open_stretch(of, detail, bytes, cyclescope_next);
    if (of == KERNEL_vTaskStartScheduler) {
        starting = 1;
        scheduler = cyclescope_next;
    }
}

void cyclescope_kernel_leave(long result) {
    if (--depth)
        return;
    if (!result && stretch.open && !stretch.switches)
        stretch.events |= EVENT_FAILED;
    close_stretch(function);
    cyclescope_tick();
}

void *cyclescope_kernel_current(void) {
    return started ? (void *)pxCurrentTCB : NULL;
}

void cyclescope_kernel_event(unsigned event) {
    stretch.events |= event;
}

void cyclescope_kernel_woken(void) {
    stretch.woken++;
}

void cyclescope_kernel_heap(unsigned long steps, unsigned event) {
    stretch.heap_steps += steps;
    stretch.events |= event;
}

void cyclescope_kernel_inserted(const void *list, const void *item) {
    const List_t *in = list;
    const ListItem_t *new = item, *at = (const ListItem_t *)&in->xListEnd;
    while (new->xItemValue != portMAX_DELAY && at->pxNext->xItemValue <= new->xItemValue &&
           at->pxNext != (const ListItem_t *)&in->xListEnd) {
        at = at->pxNext;
        stretch.list_steps++;
    }
}

/* A timer's function is called by the daemon: the kernel's time ends there, and begins again. */
static void timer_expired(TimerHandle_t timer) {
    const struct timer *one = timers;
    while (one->timer != timer)
        one = one->next;
    close_stretch(KERNEL_callback);
    depth = 0;
    struct cyclescope_slot *before = cyclescope_next;
    cyclescope_next = &cyclescope_root;
    one->callback(timer);
    cyclescope_next = before;
    depth = 1;
    open_stretch(KERNEL_callback, 0, 0, scheduler);
}

void cyclescope_kernel_timer(void *timer, void *callback) {
    struct timer *one = timers;
    while (one && one->timer != timer)
        one = one->next;
    if (!one) {
        one = cyclescope_room(sizeof *one);
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
        close_stretch(KERNEL_start);
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
        task = cyclescope_room(sizeof *task + STACK_BYTES);
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

/* Idle until the next tick, unless another task of the lowest priority has just had its turn. */
void vApplicationIdleHook(void) {
    close_stretch(KERNEL_idle);
    if (idle_yielded) {
        idle_yielded = 0;
        cyclescope_left -= IDLE_TURN_CYCLES * CLOCK_PARTS;
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
    if (stretch.open && stretch.function == KERNEL_tick && !stretch.switches)
        close_stretch(KERNEL_idle);
}
