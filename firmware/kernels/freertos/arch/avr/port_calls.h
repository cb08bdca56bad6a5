/* How the port for AVR makes its calls. */
#ifndef PORT_CALLS_H
#define PORT_CALLS_H

#define TIMED_YIELD(function, condition, ...) \
    TIMED_ACTION(function, condition, vPortYield, taskYIELD(), __VA_ARGS__)

/* Critical sections are instructions of the caller, which keep its flags on the stack between. */
#define PORT_CALLS_FOR_CRITICAL 0
#define CRITICAL_ENTERS_BY "in, cli, push"
#define CRITICAL_LEAVES_BY "pop, out"

#endif
