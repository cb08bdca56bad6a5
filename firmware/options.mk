# Options of a kernel: from OPTIONS and what kernels/<kernel>/options.mk offers to the compiler's flags.
space := $(subst ,, )
# One option of a kernel: its name, and its values, the usual one first.
option = $(eval KERNEL_OPTIONS += $(1))$(eval VALUES_$(1) := $(2))
-include kernels/$(KERNEL)/options.mk
option_name = $(firstword $(subst =, ,$(1)))
option_value = $(word 2,$(subst =, ,$(1)))
option_there = $(if $(filter $(call option_name,$(1)),$(KERNEL_OPTIONS)),,$(error \
	There is no option $(call option_name,$(1)) of $(KERNEL) here: $(if $(KERNEL_OPTIONS),choose one of: $(strip $(KERNEL_OPTIONS)),it has none)))
option_valid = $(if $(filter $(call option_value,$(1)),$(VALUES_$(call option_name,$(1)))),,$(error \
	There is no $(1) here: choose one of: $(VALUES_$(call option_name,$(1)))))
$(foreach one,$(OPTIONS),$(call option_there,$(one))$(call option_valid,$(one)))
# Each option with its value, and those that are not usual.
chosen = $(or $(lastword $(filter $(1)=%,$(OPTIONS))),$(1)=$(firstword $(VALUES_$(1))))
USUAL := $(foreach one,$(KERNEL_OPTIONS),$(one)=$(firstword $(VALUES_$(one))))
UNUSUAL := $(filter-out $(USUAL),$(foreach one,$(KERNEL_OPTIONS),$(call chosen,$(one))))
OPTION_FLAGS := $(foreach one,$(KERNEL_OPTIONS),-D$(call chosen,$(one)))
# In the name of a folder, which is not endless: more than three by their digest.
OPTION_NAMES := $(if $(word 4,$(UNUSUAL)),-options-$(shell echo $(UNUSUAL) | sha256sum | cut -c1-16),$(subst $(space),,$(patsubst config%,-%,$(subst =,-,$(UNUSUAL)))))
