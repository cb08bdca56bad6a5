/* The system of real-time figures on this board. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

#include "system.h"
#include "timer.h"
#include "wire.h"

const struct system_interrupt *system_interrupt;

/* Of a variable of the kernel, from the system's arguments; 0: there is none. */
static uintptr_t address_of(const char *argument) {
    const char *address = getenv(argument);
    return address == NULL ? 0 : strtoul(address, NULL, 16);
}

/* Linux would take real-time threads from the processor for
 * 50 ms of each second. */
bool system_prepare_realtime(void) {
    static const char unlimited[] = "-1";
    if (mount("proc", "/proc", "proc", 0, NULL) != 0)
        return false;
    int limit = open("/proc/sys/kernel/sched_rt_runtime_us", O_WRONLY);
    bool done = limit >= 0 && write(limit, unlimited, sizeof unlimited - 1) > 0;
    close(limit);
    system_interrupt = (const struct system_interrupt *)address_of("SYSTEM_INTERRUPT");
    return done && system_interrupt != NULL;
}

/* A tick between two readings changes both. */
uint64_t system_last_tick(uint32_t *ticks) {
    const volatile uint64_t *time = (const volatile uint64_t *)address_of("SYSTEM_TICK_TIME");
    uint64_t ns;
    if (time == NULL)
        wire_fault(FAULT_CHECK, 0, "the argument SYSTEM_TICK_TIME is missing");
    do {
        *ticks = system_ticks();
        ns = *time;
    } while (*ticks != system_ticks());
    return ns;
}

enum { TIMER_CYCLES = 1024 };

/* The timer counts at edges that never move. The first call finds where they are. */
uint32_t system_cycles_to_tick(void) {
    static uint32_t edge;
    if (edge == 0) {
        uint32_t count = AT91C_BASE_TC2->TC_CV;
        while (AT91C_BASE_TC2->TC_CV == count)
            ;
        edge = timer_now() | 1;
    }
    uint32_t counts = AT91C_BASE_TC2->TC_RC - AT91C_BASE_TC2->TC_CV;
    return counts * TIMER_CYCLES - (timer_now() - edge) % TIMER_CYCLES;
}
