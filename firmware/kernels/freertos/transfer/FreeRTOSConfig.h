/* FreeRTOS for the transfer of a file: as for the cases, apart from what is here. */
#ifndef TRANSFER_FREERTOS_CONFIG_H
#define TRANSFER_FREERTOS_CONFIG_H

#include "../FreeRTOSConfig.h"

#undef configTICK_RATE_HZ
#define configTICK_RATE_HZ 100 /* as of the board's Linux */

#undef configUSE_IDLE_HOOK
#define configUSE_IDLE_HOOK 1 /* the core sleeps */

#undef configUSE_TIMERS
#define configUSE_TIMERS 0
#undef INCLUDE_xTimerPendFunctionCall
#define INCLUDE_xTimerPendFunctionCall 0

#endif
