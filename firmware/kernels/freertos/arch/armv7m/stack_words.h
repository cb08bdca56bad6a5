/* Sizes of tasks' stacks, counted as the port does: by 4 bytes. A saved context is 16. Interrupts
 * have a stack of their own. */
#ifndef STACK_WORDS_H
#define STACK_WORDS_H

#define STACK_WORDS_IDLE 40
#define STACK_WORDS_TIMERS 88
#define STACK_WORDS_HELPER 88
#define STACK_WORDS_HARNESS 192

#endif
