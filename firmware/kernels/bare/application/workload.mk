# A user's program without a kernel.
KERNEL_SOURCES := $(filter-out kernels/bare/main.c,$(KERNEL_SOURCES))
KERNEL_LINK_FLAGS :=
KERNEL_FLAGS += -DAPPLICATION_WITHOUT_KERNEL
include application/application.mk
