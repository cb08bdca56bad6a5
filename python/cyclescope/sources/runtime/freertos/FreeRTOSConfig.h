/* FreeRTOS for a counted program: configured as on the board, with the kernel's calls recorded. */
#ifndef COUNTED_FREERTOS_CONFIG_H
#define COUNTED_FREERTOS_CONFIG_H

#include BOARD_CONFIGURATION

/* Here an idle processor jumps to the next tick. */
#undef configUSE_IDLE_HOOK
#define configUSE_IDLE_HOOK 1

#include "kernel_trace.h"

#endif
