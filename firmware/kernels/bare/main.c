/* Starts the board, then the harness; nothing else ever runs. */
#include "board.h"
#include "harness.h"
#include "timer.h"

int main(void) {
    board_start();
    board_guard_stack();
    timer_start();
    agent_serve();
}
