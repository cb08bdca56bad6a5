/* The memory through which a user's program and the lab meet. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <stdint.h>

#define APPLICATION_ARGUMENTS 32
#define APPLICATION_TEXT_BYTES 1020

/* The arguments of main(): so many texts, each with its zero, one behind the other. */
struct application_arguments {
    uint32_t count;
    char text[APPLICATION_TEXT_BYTES];
};

extern struct application_arguments application_arguments;
extern uint8_t application_disk[];

/* Ends the run: the program has returned from main(), or called exit() or abort(). */
void application_ended(int status) __attribute__((noreturn, noinline));

#endif
