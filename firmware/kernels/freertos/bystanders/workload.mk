# The cases among bystanders: the lab asks for tasks, timers, objects or free blocks that are there beside what a case
# makes (benches/lists), to see which calls walk over them.
KERNEL_SOURCES += kernels/freertos/bystanders/bystanders.c
KERNEL_FLAGS += -DBYSTANDERS
