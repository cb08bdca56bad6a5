/* Starts the board, then FreeRTOS with the harness as its one task. */
#include "FreeRTOS.h"
#include "task.h"

#include "board.h"
#include "cases/freertos_case.h"
#include "harness.h"
#include "timer.h"

enum { HARNESS_STACK_WORDS = 192 };

/* Brings what depends on the kernel's past to where it stays from then on, so that the first series
 * of a case meets the same kernel as the later ones. */
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
    xTaskCreate(harness, "harness", HARNESS_STACK_WORDS, NULL, PRIORITY_HARNESS, NULL);
    vTaskStartScheduler();
    wire_fault(FAULT_CHECK, 0, "the heap is too small for the harness and the idle task");
}

#ifdef KERNEL_ASSERTIONS
#include <string.h>

void kernel_assertion_failed(const char *file, int line) {
    char text[80];
    size_t length = strlen(file);
    if (length > sizeof text - 16)
        length = sizeof text - 16;
    memcpy(text, file, length);
    text[length++] = ':';
    for (int digit = 10000; digit > 0; digit /= 10)
        if (line >= digit)
            text[length++] = (char)('0' + line / digit % 10);
    text[length] = 0;
    portDISABLE_INTERRUPTS();
    wire_fault(FAULT_CHECK, (uint32_t)__builtin_return_address(0), text);
}
#endif
