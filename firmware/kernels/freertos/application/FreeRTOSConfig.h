/* FreeRTOS for a user's program: as for the cases, apart from what is here. */
#ifndef APPLICATION_FREERTOS_CONFIG_H
#define APPLICATION_FREERTOS_CONFIG_H

#include "../FreeRTOSConfig.h"

#undef configTICK_RATE_HZ
#define configTICK_RATE_HZ TICK_HZ

#undef configTIMER_QUEUE_LENGTH
#define configTIMER_QUEUE_LENGTH 10

#endif
