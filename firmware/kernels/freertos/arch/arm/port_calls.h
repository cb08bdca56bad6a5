/* How the ports for ARM make their calls. */
#ifndef PORT_CALLS_H
#define PORT_CALLS_H

/* taskYIELD() is a software interrupt. */
#define TIMED_YIELD(function, condition, ...) \
    TIMED_INSTRUCTION(function, condition, "swi", taskYIELD(), __VA_ARGS__)

/* Critical sections are entered and left by functions. */
#define PORT_CALLS_FOR_CRITICAL 1

#endif
