# A user's program as it stands: its own main(), the C library, files on a disk in RAM. APPLICATION is the folder that
# the lab writes (python/cyclescope/firmware/application/): a response file of the compiler for each source.
# PARAMETERS: disk_kib, heap_kib, stack_kib, and kernel_kib, the heap of a kernel; defaults by the code's memory.
ifeq ($(APPLICATION),)
$(error An application needs APPLICATION, the folder that the lab writes)
endif
APPLICATION_NAMES := disk_kib heap_kib stack_kib kernel_kib
$(foreach one,$(PARAMETERS),$(if $(filter $(firstword $(subst =, ,$(one))),$(APPLICATION_NAMES)),,$(error There is no parameter $(one) of an application: choose one of: $(APPLICATION_NAMES))))
# Where the board says nothing: what 4 MiB of RAM hold beside the code.
APPLICATION_disk_kib := 512
APPLICATION_heap_kib := 1536
APPLICATION_stack_kib := 64
APPLICATION_kernel_kib := 128
application_kib = $(or $(patsubst $(1)=%,%,$(lastword $(filter $(1)=%,$(PARAMETERS)))),$(APPLICATION_$(CODE)_$(1)),$(APPLICATION_$(1)))
times = $(shell echo $$(($(call application_kib,$(1)) * $(2))))

# Scripts of the board's own for applications come first.
BOARD_LINK_FOLDERS := $(wildcard $(BOARD_FOLDER)/application) $(BOARD_LINK_FOLDERS)
HARNESS_SOURCES := application/runtime.c
KERNEL_INCLUDES += application cases
# Blocks have 256 bytes; littlefs sees all of them in one look.
DISK_BLOCKS_$(CODE) := $(call times,disk_kib,4)
include files/files.mk
DISK_FLAGS := -DDISK_BLOCK_COUNT=$(DISK_BLOCKS_$(CODE)) -DDISK_LOOKAHEAD_BYTES=$(call times,disk_kib,4 / 8)
KERNEL_FLAGS += $(filter-out -DDISK_BLOCK_COUNT=%,$(DISK_FLAGS)) -DFILES_NO_INPUT -DFILES_OPEN_AT_ONCE=8 \
	-DAPPLICATION_HEAP_BYTES=$(call times,heap_kib,1024)
HEAP_$(CODE)_$(ISA) := $(call times,kernel_kib,1024)
HEAP_$(CODE) := $(HEAP_$(CODE)_$(ISA))
KERNEL_LINK_FLAGS += -Wl,--wrap=main -Wl,--defsym=svc_stack_bytes=$(call times,stack_kib,1024)

# The disk is made, and read after the run, by the same littlefs on this machine.
HOST_CC ?= cc
DISK_TOOL = $(OUT)/disk
DISK_TOOL_SOURCES := application/host/disk_tool.c files/disk.c $(LITTLEFS)/lfs.c $(LITTLEFS)/lfs_util.c
BOARD_LIBRARIES += -lm
# newlib-nano has floating-point numbers in formatted text when asked to: for programs with such formats.
FOR_REAL_FORMATS = $(if $(filter newlib-nano,$(LIBRARY)),$$($(PYTHON) application/real_formats.py $(APPLICATION_OBJECTS)))
