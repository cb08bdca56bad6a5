/* A second pin whose edges are exactly one second of the core's clock apart, made by a timer: by it
 * whoever records both pins corrects the rate of his own clock (Moreno and Fischmeister, section
 * 6). A board that has one implements this in reference.c. */
#ifndef REFERENCE_H
#define REFERENCE_H

/* Starts the timer; from then on no instruction takes part. */
void reference_start(void);

#endif
