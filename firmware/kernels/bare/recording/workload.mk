# The points of a fragment's plans for whoever records the pin: no harness, no wire. PARAMETERS: MEASUREMENTS of each
# plan (20_110: two plans), EXPERIMENTS (how often all plans are measured; 0: for ever), SEED of the times between them.
ifeq ($(FRAGMENT),)
$(error A recording needs a FRAGMENT)
endif
RECORDING_NAMES := MEASUREMENTS EXPERIMENTS SEED
$(foreach one,$(PARAMETERS),$(if $(filter $(firstword $(subst =, ,$(one))),$(RECORDING_NAMES)),,$(error There is no parameter $(one) of a recording: choose one of: $(RECORDING_NAMES))))
recorded = $(or $(patsubst $(1)=%,%,$(lastword $(filter $(1)=%,$(PARAMETERS)))),$(2))
HARNESS_SOURCES := workloads/recording/main.c harness/wire.c
KERNEL_INCLUDES += workloads/recording
KERNEL_SOURCES := $(filter-out kernels/bare/main.c,$(KERNEL_SOURCES))
REFERENCE := $(wildcard $(CHIP)/reference.c)
BOARD_SOURCES += $(REFERENCE)
KERNEL_FLAGS += -DRECORDING -DMEASUREMENTS=$(subst _,$(comma),$(call recorded,MEASUREMENTS,1)) \
	-DEXPERIMENTS=UINT32_C\($(call recorded,EXPERIMENTS,0)\) -DSEED=$(call recorded,SEED,1) $(if $(REFERENCE),-DREFERENCE)
KERNEL_TIMERS := $(filter pin,$(TIMERS))
