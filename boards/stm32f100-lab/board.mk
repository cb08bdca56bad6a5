# The STM32F100RB with the lab's own memories, which no real part has: code may be there, and only here.
BOARD_LINK_FOLDERS := $(BOARDS)/stm32f100-lab
include $(BOARDS)/stm32f100rb/board.mk
