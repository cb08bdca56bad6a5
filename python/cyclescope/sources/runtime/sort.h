/* The parts of a sort of newlib's, which have prices. */
#ifndef SORT_H
#define SORT_H

/* Sorts of a piece; comparisons; elements of one word that were exchanged; other exchanges, and the
 * words or bytes of these. */
enum { SORT_CALLS, SORT_COMPARED, SORT_EXCHANGED, SORT_MOVED, SORT_WORDS, SORT_BYTES, SORT_PARTS };

#define WORD_BYTES 4

long long cyclescope_sorted(int part);

#endif
