/* Sizes of tasks' stacks, counted as the port does: by 4 bytes. A saved context is 18. */
#ifndef STACK_WORDS_H
#define STACK_WORDS_H

#define STACK_WORDS_IDLE 40
#define STACK_WORDS_TIMERS 96
#define STACK_WORDS_HELPER 96
#define STACK_WORDS_HARNESS 192

#endif
