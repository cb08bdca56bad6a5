/* Starts the board, then FreeRTOS with the monitor, which serves the wire, as its one task. */
#include "port.h"

#include "harness.h"
#include "realtime.h"
#include "timer.h"

enum { MONITOR_STACK = 224 };

static void monitor(void *unused) {
    (void)unused;
    PROBE_TIMER_SYMBOL();
    agent_serve();
}

int main(void) {
    board_start();
    timer_start();
    xTaskCreate(monitor, "monitor", MONITOR_STACK, NULL, RANK_MONITOR, NULL);
    vTaskStartScheduler();
    wire_fault(FAULT_CHECK, 0, "the heap is too small for the monitor and the idle task");
}
