/* Entries that may switch tasks. Compiled to ARM state. */
#include "line_entries.h"

#include "task.h"

#include "switching_entry.h"

#ifdef RING
SWITCHING_ENTRY(wake_entered, wake_requested)
#else
SWITCHING_ENTRY(line_entered, line_interrupted)
#endif
