/* A call of setjmp() on AVR, in assembly, as it returns twice to the same registers. */
#ifndef RETURNS_TWICE_H
#define RETURNS_TWICE_H

/* Calls setjmp(context), and reads the timer wherever it returns: declares `returned_`, what it
 * gave, and `stop_`, the reading, which `label` names. */
#define CALL_SETJMP(context, label)                                                        \
    register uintptr_t returned_ __asm__("r24") = (uintptr_t)(context);                    \
    register uint16_t stop_ __asm__("r16");                                                \
    __asm volatile("call setjmp\nprobe." label ": lds %A1, %2\n\tlds %B1, %2 + 1"          \
                   : "+r"(returned_), "=&r"(stop_)                                         \
                   : "n"(&TIMER_COUNT)                                                     \
                   : "r18", "r19", "r20", "r21", "r22", "r23", "r26", "r27", "r30", "r31", \
                     "memory")

#endif
