/* FreeRTOS for real-time figures: as for the cases, apart from what is here. */
#ifndef REALTIME_FREERTOS_CONFIG_H
#define REALTIME_FREERTOS_CONFIG_H

#include "../FreeRTOSConfig.h"

#undef configTICK_RATE_HZ
#define configTICK_RATE_HZ TICK_HZ /* the build's choice: clock granularity is a condition here */

#undef configMAX_PRIORITIES
#define configMAX_PRIORITIES 12 /* RANKS of realtime.h */

#undef configTIMER_TASK_PRIORITY
#define configTIMER_TASK_PRIORITY 7 /* as the highest background thread */

#undef configTIMER_QUEUE_LENGTH
#define configTIMER_QUEUE_LENGTH 8

#ifdef NO_BACKGROUND /* nobody uses the timer service */
#undef configUSE_TIMERS
#define configUSE_TIMERS 0
#undef INCLUDE_xTimerPendFunctionCall
#define INCLUDE_xTimerPendFunctionCall 0
#endif

#endif
