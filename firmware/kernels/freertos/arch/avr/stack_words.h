/* Sizes of tasks' stacks, counted as the port does: by bytes. A saved context is 38, an interrupt
 * beside it about 80. */
#ifndef STACK_WORDS_H
#define STACK_WORDS_H

#define configSTACK_DEPTH_TYPE uint16_t
#define STACK_WORDS_IDLE 128
#define STACK_WORDS_TIMERS 192
#define STACK_WORDS_HELPER 192
#define STACK_WORDS_HARNESS 448

#endif
