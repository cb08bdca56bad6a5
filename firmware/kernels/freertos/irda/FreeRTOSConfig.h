/* FreeRTOS for a station with IrDA: as for the cases, apart from what is here. */
#ifndef IRDA_FREERTOS_CONFIG_H
#define IRDA_FREERTOS_CONFIG_H

#include "../FreeRTOSConfig.h"

#undef configTICK_RATE_HZ
#define configTICK_RATE_HZ TICK_HZ

#undef configUSE_IDLE_HOOK
#define configUSE_IDLE_HOOK 1 /* the core stops */

#undef configUSE_TIMERS
#define configUSE_TIMERS 0
#undef INCLUDE_xTimerPendFunctionCall
#define INCLUDE_xTimerPendFunctionCall 0

#endif
