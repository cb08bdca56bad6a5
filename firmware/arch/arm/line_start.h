/* Code that ends where a line of the flash ends, but for one instruction: what comes behind that
 * one begins a line (16 bytes, docs/timing/mam_lpc2000.md). */
#ifndef LINE_START_H
#define LINE_START_H

#ifdef __thumb__
#define BEFORE_LINE_START ".balign 16\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
#else
#define BEFORE_LINE_START ".balign 16\n nop\n nop\n nop\n"
#endif

#endif
