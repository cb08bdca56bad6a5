/* The C library under test. */
#ifndef LIBRARY_H
#define LIBRARY_H

/* Brings all that the library remembers (free blocks, streams, seeds, errno) to its state after
 * start-up. */
void library_reset(void);

#endif
