/* A call of setjmp() on ARM, in assembly, as it returns twice to the same registers. */
#ifndef RETURNS_TWICE_H
#define RETURNS_TWICE_H

/* Calls setjmp(context), and reads the timer wherever it returns: declares `returned_`, what it
 * gave, and `stop_`, the reading, which `label` names. */
#define CALL_SETJMP(context, label)                                         \
    register const volatile uint32_t *timer_ __asm__("r4") = probe_timer(); \
    register uintptr_t returned_ __asm__("r0") = (uintptr_t)(context);      \
    register uint32_t stop_ __asm__("r5");                                  \
    __asm volatile("bl setjmp\nprobe." label ": ldr %1, [%2]"               \
                   : "+r"(returned_), "=r"(stop_)                           \
                   : "l"(timer_)                                            \
                   : "r1", "r2", "r3", "ip", "lr", "cc", "memory")

#endif
