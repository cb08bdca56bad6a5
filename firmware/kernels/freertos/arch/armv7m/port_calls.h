/* How the port for the Cortex-M3 makes its calls. */
#ifndef PORT_CALLS_H
#define PORT_CALLS_H

/* taskYIELD() is a request of PendSV by a store, and two barriers behind it. */
#define TIMED_YIELD(function, condition, ...) \
    TIMED_INLINE(function, condition, "str, dsb, isb", , taskYIELD(), , , __VA_ARGS__)

/* Critical sections are entered and left by functions. */
#define PORT_CALLS_FOR_CRITICAL 1

#endif
