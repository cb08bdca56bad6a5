/* Configuration of FreeRTOS V11.2.0. Every value becomes a condition of the measurements; what
 * options.mk lists comes from the build. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include <stddef.h>

#include "registers.h" /* the clocks, and what the port asks of the board */
#include "stack_words.h"

#define configCPU_CLOCK_HZ BOARD_PCLK_HZ /* the port feeds it to a timer, which counts PCLK */
#ifdef BOARD_TICK_HZ
#define configTICK_RATE_HZ BOARD_TICK_HZ /* the slowest that the port's timer can have */
#else
#define configTICK_RATE_HZ 10 /* slow: samples are placed between ticks */
#endif
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS

#define configUSE_PREEMPTION 1
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0 /* ARMv4T has no instruction for it */
#define configMAX_TASK_NAME_LEN 8
#define configMINIMAL_STACK_SIZE STACK_WORDS_IDLE
#define configIDLE_SHOULD_YIELD 1
#define configUSE_IDLE_HOOK 0

#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configTOTAL_HEAP_SIZE HEAP_BYTES /* by the code's memory: what it leaves */

#define configUSE_TASK_NOTIFICATIONS 1
#define configUSE_MUTEXES 1
#define configUSE_RECURSIVE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_EVENT_GROUPS 1
#define configUSE_STREAM_BUFFERS 1
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY                                                               \
    1                              /* below the harness: commands wait until a case lets it run \
                                    */
#define configTIMER_QUEUE_LENGTH 1 /* so that every command lies at the same place in it */
#define configTIMER_TASK_STACK_DEPTH STACK_WORDS_TIMERS
#define configUSE_CO_ROUTINES 0

#define configENABLE_BACKWARD_COMPATIBILITY 0

#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskDelayUntil 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_uxTaskPriorityGet 1
#define INCLUDE_xTaskGetSchedulerState 1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#define INCLUDE_eTaskGetState 1
#define INCLUDE_xSemaphoreGetMutexHolder 1
#define INCLUDE_xTaskGetHandle 1
#define INCLUDE_xTaskAbortDelay 1
#define INCLUDE_xTaskResumeFromISR 1
#define INCLUDE_xTimerPendFunctionCall 1

#define configKERNEL_PROVIDED_STATIC_MEMORY configSUPPORT_STATIC_ALLOCATION

#if configGENERATE_RUN_TIME_STATS
#include "timer.h"
#define portCONFIGURE_TIMER_FOR_RUN_TIME_STATS() /* started before the kernel */
#define portGET_RUN_TIME_COUNTER_VALUE() timer_now()
#endif

#if configASSERT
#undef configASSERT
void kernel_assertion_failed(const char *file, int line) __attribute__((noreturn));
#define configASSERT(condition) \
    if (!(condition))           \
    kernel_assertion_failed(__FILE__, __LINE__)
#else
#undef configASSERT
#endif

#endif
