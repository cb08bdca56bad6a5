/* Probes: where the time is read. Each timer of a board (timer.h) offers:
 *
 *     TIMER_NAME, TIMER_HZ      its name and its rate, for the lab
 *     timer_start()             called once, after board_start()
 *     timer_now()               the count, 32 bits, for the harness itself
 *     TIMER_PROBE_BITS          if its probes read but so many low bits of it. It then offers
 *                               timer_now() before it includes memory_timer.h
 *     PROBE_TIMER_SYMBOL()      defines probe.timer, the address that all probes read, if any
 *     POINT_START(label)        the probe before the copies of a point (points.h), whose first
 *                               copy follows at once. Defines the symbol `label`.start
 *     POINT_STOP(label, timing) the probe behind the last copy, which ends the measurement and
 *                               fills in `timing`. Defines the symbol `label`.stop
 *
 * A timer of kernels with cases offers their probes (case.h) as well, one instruction each where
 * the timer is one register:
 *
 *     probe_timer()             where it is read, if it has an address
 *     PROBE(timer, label)       the count; `timer` is what probe_timer() gave. No access to memory
 *                               moves across it
 *
 * Their symbols let the lab find in the ELF what was timed (docs/reference/cases.md):
 *     probe.<case>.<real|empty>.start    the load that starts a sample
 *     probe.<case>.<real|empty>.stop     the load that ends it, at the return address of the call
 *     probe.pair.<start|stop>            the same of the pair that has no call between
 *     probe.<case>.real.moved            the same, where the call returns in another task
 */
#ifndef PROBE_H
#define PROBE_H

#include "timer.h"

#ifdef TIMER_PROBE_BITS
/* Notes the count before a starting probe: less than one revolution of the probes' bits before. */
void expect_start(void);

/* The whole count of the starting probe that was expected last. */
uint32_t whole_start(uint32_t read);

/* The whole count of a probe less than one revolution ago. */
uint32_t whole_stop(uint32_t read);
#else
#define expect_start() ((void)0)
#define whole_start(read) (read)
#define whole_stop(read) (read)
#endif

#endif
