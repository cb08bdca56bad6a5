/* Starts the process: caretaker, board, harness. Memory that cases map later is not locked, so
 * that they meet Linux as any program does. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "board.h"
#include "caretaker.h"
#include "harness.h"
#include "kernel.h"
#include "timer.h"

uint32_t kernel_free_bytes(void) {
    uint64_t free = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    return free < UINT32_MAX ? (uint32_t)free : UINT32_MAX;
}

int main(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    caretaker_start();
    board_start();
    (void)!mlockall(MCL_CURRENT); /* takes back the lock on what is mapped in future */
    timer_start();
    agent_serve();
}
