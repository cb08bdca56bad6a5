# The toolchain of boards with an ARM7TDMI, and the sources that they share.
include arch/arm/libraries.mk
# The folder arch/<name> of the firmware, of a kernel and of the cases that has their assembly.
BOARD_ARCHITECTURE := arm
CORE_FLAGS := -mcpu=arm7tdmi -mthumb-interwork
ISA_FLAGS_arm := -marm
ISA_FLAGS_thumb := -mthumb

BOARD_BARE_ARM_SOURCES := arch/arm/leave.S $(if $(FRAGMENT),arch/arm/arguments.S)
BOARD_BARE_SOURCES := $(if $(FRAGMENT),arch/arm/load.c)
BOARD_BARE_LINK_FLAGS := -Wl,--defsym=svc_stack_bytes=4096
# The ports of FreeRTOS for it: functions in ARM state, and what a software interrupt enters.
BOARD_FREERTOS_PORT_ISR := portISR.c
BOARD_FREERTOS_LINK := -Wl,--defsym=software_interrupt=vPortYieldProcessor
