/* Starts the board, then FreeRTOS with the reader of the line as its one task. */
#include "FreeRTOS.h"
#include "task.h"

#include "board.h"
#include "transfer.h"
#include "wire.h"

enum { READER_STACK_WORDS = 192, READER_PRIORITY = 2 };

void vApplicationIdleHook(void) {
    board_sleep();
}

static void reader(void *unused) {
    (void)unused;
    transfer_run();
}

int main(void) {
    board_start();
    xTaskCreate(reader, "reader", READER_STACK_WORDS, NULL, READER_PRIORITY, NULL);
    vTaskStartScheduler();
    wire_fault(FAULT_CHECK, 0, "the heap is too small for the reader and the idle task");
}
