# A file over the line, in packets: the kernel's sources, without cases; its own configuration. PARAMETERS has the
# settings of the transfer (workloads/transfer/transfer.h), name=value.
TRANSFER_VALUES_receive := pdc byte poll frame
TRANSFER_VALUES_layers := stream queue lent direct
TRANSFER_VALUES_entry := irq fiq context
TRANSFER_VALUES_access := memory coprocessor
TRANSFER_VALUES_buffer := 64 4 8 16 32 48 96 128 192 256
TRANSFER_VALUES_time_out := 32 0 8 16 24 64 128 256
PARAMETER_NAMES := receive layers entry access buffer time_out
parameter = $(or $(patsubst $(1)=%,%,$(lastword $(filter $(1)=%,$(PARAMETERS)))),$(firstword $(TRANSFER_VALUES_$(1))))
$(foreach one,$(PARAMETERS),$(if $(filter $(firstword $(subst =, ,$(one))),$(PARAMETER_NAMES)),,$(error There is no parameter $(one) of a transfer: choose one of: $(PARAMETER_NAMES))))
$(foreach one,$(PARAMETER_NAMES),$(if $(filter $(call parameter,$(one)),$(TRANSFER_VALUES_$(one))),,$(error There is no $(one)=$(call parameter,$(one)) of a transfer: choose one of: $(TRANSFER_VALUES_$(one)))))

RECEIVE := $(call parameter,receive)
LAYERS := $(call parameter,layers)
ENTRY := $(call parameter,entry)
# Lent octets of single interrupts stand in a ring. A poll has no layers.
LENT := $(filter lent direct,$(LAYERS))
RING := $(if $(LENT),$(filter byte,$(RECEIVE)))
ifneq ($(filter fiq,$(ENTRY)),)
ifeq ($(RING),)
$(error A transfer with entry=fiq makes no call of the kernel: choose receive=byte and layers=lent or direct)
endif
endif
ifeq ($(RECEIVE)$(filter lent,$(LAYERS)),frame)
$(error A transfer with receive=frame hands frames over where they came: choose layers=lent)
endif
ifeq ($(call parameter,time_out)$(if $(LENT),,copied),0copied)
$(error A transfer with time_out=0 has a reader that looks itself: choose layers=lent or direct)
endif

TRANSFER := kernels/freertos/transfer
USART := kernels/freertos/usart
HARNESS_SOURCES := harness/wire.c harness/empty.c workloads/transfer/frames.c workloads/transfer/receiver.c
KERNEL_INCLUDES := $(TRANSFER) $(USART) $(KERNEL_INCLUDES) workloads/transfer
KERNEL_SOURCES := $(filter $(FREERTOS)/%,$(KERNEL_SOURCES)) $(KERNEL_HOOKS) $(addprefix $(TRANSFER)/,main.c \
	$(if $(filter frame,$(RECEIVE)),,usart.c) receive_$(if $(RING),ring,$(RECEIVE)).c \
	$(if $(RING)$(filter poll,$(RECEIVE)),,layers_$(if $(LENT),spans,$(LAYERS)).c))
KERNEL_ARM_SOURCES := $(FREERTOS_PORT)/portISR.c $(if $(filter poll,$(RECEIVE)),,$(TRANSFER)/line_entries.c) \
	$(if $(RING),$(USART)/ring_entries.S)
KERNEL_CONFIGURATION := $(TRANSFER)/FreeRTOSConfig.h
NUMBERED := receive.poll.0 receive.byte.1 receive.pdc.2 receive.frame.3 layers.queue.0 layers.stream.1 layers.lent.2 \
	layers.direct.3 entry.irq.0 entry.fiq.1 entry.context.2 access.memory.0 access.coprocessor.1
numbered = $(patsubst $(1).$(call parameter,$(1)).%,%,$(filter $(1).$(call parameter,$(1)).%,$(NUMBERED)))
KERNEL_FLAGS += $(if $(RING),-DRING) -DRECEIVE=$(call numbered,receive) -DLAYERS=$(call numbered,layers) \
	-DENTRY=$(call numbered,entry) -DACCESS=$(call numbered,access) -DBUFFER=$(call parameter,buffer) -DBUFFERS=4 \
	-DTIME_OUT=$(call parameter,time_out)
