# The cases of the C library: needs no kernel. The memory of a case comes from an arena of the board's
# ARENA_<code> bytes.
CASES_OF_LIBRARY := yes
# Files, where there is memory for a disk.
FILES := $(DISK_BLOCKS_$(CODE))
# An instruction set whose library is another one has its own arena, and says which classes it lacks.
LIBRARY_ARENA := arena
LIBRARY_SYSTEM := syscalls
-include cases/arch/$(BOARD_ARCHITECTURE)/library.mk
LIBRARY_SUPPORT := $(LIBRARY_ARENA) library $(LIBRARY_SYSTEM) $(if $(FILES),files_case)
CLASSES_IN_ORDER := memory_blocks strings searches characters heap sorting numbers mathematics \
	float_mathematics arithmetic formatting streams jumps calendar
NO_CLASSES := library arena syscalls files_case $(if $(FILES),,files_%) $(LIBRARY_LACKS)
KERNEL_CLASSES := $(filter-out $(NO_CLASSES),$(call classes,cases,$(CLASSES_IN_ORDER)))
ifeq ($(FILES),)
ifneq ($(filter files_%,$(CASES)),)
$(error The cases of files have a disk in RAM, for which there is no space with code in $(CODE): choose another memory for the code)
endif
endif
KERNEL_INCLUDES += cases cases/arch/$(BOARD_ARCHITECTURE)
KERNEL_SOURCES += $(patsubst %,cases/%.c,$(LIBRARY_SUPPORT) $(if $(filter all,$(CASES)),$(KERNEL_CLASSES),$(CASES)))
# Every call in a case is a call: the compiler knows none of the library's functions.
KERNEL_FLAGS := -fno-builtin -DARENA_BYTES=$(ARENA_$(CODE)) $(LIBRARY_FLAGS)
# Their probes read a timer that is a register.
KERNEL_TIMERS := $(filter-out pin,$(TIMERS))
SAMPLES_bare_$(CODE) := $(SAMPLES_$(CODE))
BOARD_LIBRARIES += -lm
# newlib-nano formats floating-point numbers when asked to.
LINK_FOR_FLOAT_newlib-nano := -u _printf_float -u _scanf_float
KERNEL_LINK_FLAGS += $(LIBRARY_LINK_FLAGS) $(if $(filter all formatting,$(CASES)),$(LINK_FOR_FLOAT_$(LIBRARY)))
ifneq ($(FILES),)
include files/files.mk
endif
