/* The choice that this example measures: an interrupt for each byte, or for each block. */
#ifndef VARIANT_H
#define VARIANT_H

#ifdef BLOCKS
enum { BLOCK_BYTES = 8 };
#else
enum { BLOCK_BYTES = 1 };
#endif

#endif
