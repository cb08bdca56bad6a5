/* Configuration of FreeRTOS: one task, stream buffers, notifications, a tick of 1 kHz. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include "registers.h"

#define configCPU_CLOCK_HZ BOARD_PCLK_HZ
#define configTICK_RATE_HZ 1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configUSE_PREEMPTION 1
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#define configMAX_PRIORITIES 3
#define configMAX_TASK_NAME_LEN 8
#define configMINIMAL_STACK_SIZE 64
#define configTOTAL_HEAP_SIZE 4096
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configUSE_IDLE_HOOK 1 /* the core sleeps until an interrupt */
#define configUSE_TICK_HOOK 0
#define configUSE_TASK_NOTIFICATIONS 1
#define configUSE_STREAM_BUFFERS 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_vTaskSuspend 1 /* portMAX_DELAY waits for ever */
#define configENABLE_BACKWARD_COMPATIBILITY 0

#endif
