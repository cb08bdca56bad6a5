/* Preemption without a kernel: coded, in the ISR of the alarm, which runs the other task itself. */
#include "alarm.h"
#include "board.h"
#include "interrupt_entry.h"
#include "kernel.h"
#include "switch.h"
#include "transmitter.h"

PLAIN_INTERRUPT static void alarm_entered(void) {
    mac_task();
    board_end_alarm();
}

PLAIN_INTERRUPT static void transmitter_entered(void) {
    transmitter_interrupted();
}

void kernel_run_window(void) {
    board_attach_alarm(alarm_entered);
    board_start_transmitter(transmitter_entered);
    board_unmask_interrupts(true);
    switch_window(&ordered, &stamped);
    board_unmask_interrupts(false);
}
