# The LPC2148 with the lab's own RAM, which no real part has: code may be there, and only here.
BOARD_LINK_FOLDERS := $(BOARDS)/lpc2148-lab
include $(BOARDS)/lpc2148/board.mk
