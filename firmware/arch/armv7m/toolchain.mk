# The toolchain of boards with a Cortex-M3, and the sources that they share. Those that boards with an ARM7TDMI share too lie
# in arch/arm.
include arch/arm/libraries.mk
BOARD_ARCHITECTURE := armv7m
CORE_FLAGS := -mcpu=cortex-m3 -mthumb
BOARD_INCLUDES += arch/armv7m arch/arm cases/arch/arm
BOARD_LINK_FOLDERS += arch/armv7m arch/arm

BOARD_BARE_ARM_SOURCES := arch/armv7m/leave.S $(if $(FRAGMENT),arch/armv7m/arguments.S)
BOARD_BARE_SOURCES := $(if $(FRAGMENT),arch/armv7m/load.c)
# Its port of FreeRTOS is one file. The vectors lead to its handlers, whose names the start (start.S) takes for its own.
VECTORS_freertos := -Dsvcall_taken=vPortSVCHandler -Dpendsv_taken=xPortPendSVHandler -Dsystick_taken=xPortSysTickHandler
BOARD_FREERTOS_LINK = $(if $(HANDLERS_$(CODE)),-Wl$(comma)--defsym=svc_stack_bytes=$(HANDLERS_$(CODE)))
