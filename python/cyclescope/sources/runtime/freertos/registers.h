/* The kernel's configuration asks a board for this: ticks come from the counted clock. */
#ifndef REGISTERS_H
#define REGISTERS_H

#define BOARD_PCLK_HZ 60000000

#endif
