/* A second pin that a timer toggles after each second of the core's clock. A recording of both pins
 * so shows the rate of the recorder's own clock (Moreno and Fischmeister, section 6). A board that
 * has one implements this in reference.c. */
#ifndef REFERENCE_H
#define REFERENCE_H

/* Starts the timer; from then on no instruction takes part. */
void reference_start(void);

#endif
