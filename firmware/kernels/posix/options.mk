# Options of Linux on a board, of real-time figures: values, the usual one first, after Linux's own documentation
# (kernel/Kconfig.preempt). Each value is another kernel of `make linux`. The lab reads these lines too.
$(call option,CONFIG_PREEMPT,0 1 2,Where a thread in the kernel can lose the processor: 0 nowhere but where it waits (none); 1 also at marked places (voluntary); 2 wherever no lock is held (full))
