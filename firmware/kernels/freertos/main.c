/* Starts the board, then FreeRTOS with the harness as its one task. */
#include "FreeRTOS.h"
#include "task.h"

#include "board.h"
#include "cases/freertos_case.h"
#include "harness.h"
#include "timer.h"

/* Brings all that depends on the kernel's past to where it stays. So the first series of a case
 * meets the same kernel as the later ones. */
static void settle(void) {
    run_timer_daemon(); /* it comes to wait for commands */
    taskYIELD();        /* the index of the ready list comes to stand at this task */
    vPortFree(pvPortMalloc(xPortGetFreeHeapSize() - BLOCK_BYTES(0))); /* no new least free size */
}

static void harness(void *unused) {
    (void)unused;
    settle();
    agent_serve();
}

int main(void) {
    board_start();
    timer_start();
    xTaskCreate(harness, "harness", STACK_WORDS_HARNESS, NULL, PRIORITY_HARNESS, NULL);
    vTaskStartScheduler();
    wire_fault(FAULT_CHECK, 0, "the heap is too small for the harness and the idle task");
}
