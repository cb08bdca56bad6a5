/* Where constants of the harness lie. A compiler with address spaces beside that of data, as a
 * Harvard machine's has, puts them beside the code; data there is scarce. */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#ifdef __MEMX
#define CONSTANT const __memx
/* A field that holds a text, which lies in the structure itself: at most so many letters. */
#define TEXT_FIELD(name, letters) char name[(letters) + 1]
#else
#define CONSTANT const
#define TEXT_FIELD(name, letters) const char *name
#endif

/* Such a text as an argument. GCC 5.4 fails where an array of another address space is passed by
 * its name. */
#define TEXT_OF(field) ((CONSTANT char *)&(field)[0])

#endif
