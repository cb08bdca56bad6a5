/* A place for what cases make on this machine, and a process that clears it away however the
 * program ends. */
#ifndef CARETAKER_H
#define CARETAKER_H

/* The one name of a semaphore, a message queue or a shared memory that cases use. */
extern char shared_name[];

/* Makes a folder of the program's own in the current one and goes into it; ends the program with
 * its last words if that cannot be done. */
void caretaker_start(void);

#endif
