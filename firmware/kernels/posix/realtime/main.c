/* Starts the process, whose first thread is the monitor. */
#include "board.h"
#include "harness.h"
#include "port.h"

#include <signal.h>
#include <sys/prctl.h>

int main(void) {
    PROBE_TIMER_SYMBOL();
    /* Threads that outrank everything must not outlive whoever would end them. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    board_start();
    if (!system_prepare_realtime())
        wire_fault(FAULT_CHECK, 0, "the system is not prepared for real-time threads");
    timer_start();
    port_outrank();
    agent_serve();
}
