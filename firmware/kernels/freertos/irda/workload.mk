# A station with IrDA: the kernel's sources, the stack and its port; its own configuration. PARAMETERS has the receiver
# (irda/ports/freertos/receivers.h) and the variants of its interrupt and registers (usart/variants.h), name=value.
IRDA := irda
IRDA_VALUES_receive := pdc byte poll frame
IRDA_VALUES_send := pdc byte
IRDA_VALUES_entry := irq fiq context
IRDA_VALUES_access := memory coprocessor
IRDA_NAMES := receive send entry access
irda_value = $(or $(patsubst $(1)=%,%,$(lastword $(filter $(1)=%,$(PARAMETERS)))),$(firstword $(IRDA_VALUES_$(1))))
$(foreach one,$(PARAMETERS),$(if $(filter $(firstword $(subst =, ,$(one))),$(IRDA_NAMES)),,$(error There is no parameter $(one) of a station: choose one of: $(IRDA_NAMES))))
$(foreach one,$(IRDA_NAMES),$(if $(filter $(call irda_value,$(one)),$(IRDA_VALUES_$(one))),,$(error There is no $(one)=$(call irda_value,$(one)) of a station: choose one of: $(IRDA_VALUES_$(one)))))
RECEIVE := $(call irda_value,receive)
ifneq ($(filter fiq,$(call irda_value,entry)),)
ifneq ($(RECEIVE),byte)
$(error A station with entry=fiq makes no call of the kernel: choose receive=byte)
endif
endif
ifeq ($(call irda_value,send)$(filter byte,$(RECEIVE)),byte)
$(error A station with send=byte has its interrupt for the receiver as well: choose receive=byte)
endif
# The tick of Linux on this board, unless the command line has another one.
ifeq ($(origin TICK_HZ),file)
TICK_HZ := 100
endif

USART := kernels/freertos/usart
IRDA_PORT := $(IRDA)/ports/freertos
HARNESS_SOURCES := harness/wire.c
KERNEL_INCLUDES := kernels/freertos/irda $(USART) $(KERNEL_INCLUDES) $(IRDA) $(IRDA_PORT)
KERNEL_SOURCES := $(filter $(FREERTOS)/%,$(KERNEL_SOURCES)) $(wildcard $(IRDA)/*.c) $(addprefix $(IRDA_PORT)/,station.c line_clock.c \
	$(if $(filter frame,$(RECEIVE)),exchange_frames.c line_frame.c,exchange_octets.c line_usart.c) \
	$(patsubst %,line_%.c,$(filter pdc poll,$(RECEIVE)) $(if $(filter byte,$(RECEIVE)),ring)))
KERNEL_ARM_SOURCES := $(FREERTOS_PORT)/portISR.c $(IRDA_PORT)/entries.c $(if $(filter byte,$(RECEIVE)),$(USART)/ring_entries.S)
KERNEL_CONFIGURATION := kernels/freertos/irda/FreeRTOSConfig.h
IRDA_NUMBERS := pdc.0 byte.1 poll.2 frame.3 irq.0 fiq.1 context.2 memory.0 coprocessor.1
irda_number = $(patsubst $(call irda_value,$(1)).%,%,$(filter $(call irda_value,$(1)).%,$(IRDA_NUMBERS)))
KERNEL_FLAGS += -DTICK_HZ=$(TICK_HZ) -DRECEIVE=$(call irda_number,receive) -DSEND=$(call irda_number,send) -DENTRY=$(call irda_number,entry) \
	-DACCESS=$(call irda_number,access)
