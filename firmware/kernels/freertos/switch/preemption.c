/* Preemption under FreeRTOS: the ISR of the alarm notifies a task of higher priority. */
#include "FreeRTOS.h"
#include "task.h"

#include "alarm.h"
#include "board.h"
#include "harness.h"
#include "interrupt_entry.h"
#include "switch.h"
#include "timer.h"
#include "transmitter.h"
#include "wire.h"

enum { PRIORITY_TRANSMISSION = 1, PRIORITY_MAC = 2, STACK_WORDS = 192 };

static TaskHandle_t mac;

void alarm_taken(void);
void alarm_entered(void);

void alarm_taken(void) {
    BaseType_t woken = pdFALSE;
    vTaskNotifyGiveFromISR(mac, &woken);
    board_end_alarm();
    if (woken)
        SWITCH_FROM_INTERRUPT();
}

INTERRUPT_ENTRY(alarm_entered, alarm_taken)

PLAIN_INTERRUPT static void transmitter_entered(void) {
    transmitter_interrupted();
}

static void accumulate(void *unused) {
    (void)unused;
    for (;;) {
        ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        mac_task();
    }
}

static void transmit(void *unused) {
    (void)unused;
    agent_serve();
}

/* Right after a tick, so that no other falls into the window. */
void kernel_run_window(void) {
    board_attach_alarm(alarm_entered);
    board_start_transmitter(transmitter_entered);
    vTaskDelay(1);
    switch_window(&ordered, &stamped);
}

int main(void) {
    board_start();
    timer_start();
    xTaskCreate(accumulate, "mac", STACK_WORDS, NULL, PRIORITY_MAC, &mac);
    xTaskCreate(transmit, "uart", STACK_WORDS, NULL, PRIORITY_TRANSMISSION, NULL);
    vTaskStartScheduler();
    wire_fault(FAULT_CHECK, 0, "the heap is too small for both tasks and the idle task");
}
