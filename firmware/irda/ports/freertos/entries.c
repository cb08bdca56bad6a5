/* Compiled to ARM state: the core enters interrupts in it. */
#include "entries.h"

#include "task.h"

#include "receivers.h"
#include "switching_entry.h"

#if RECEIVE != RECEIVE_POLL
SWITCHING_ENTRY(line_clock_entered, line_clock_taken)
#endif
#if RECEIVE == RECEIVE_BYTE
SWITCHING_ENTRY(wake_entered, wake_requested)
#elif RECEIVE != RECEIVE_POLL
SWITCHING_ENTRY(line_entered, line_usart_taken)
#endif
