/* As the library asks a board for what is random; the program has a generator with a seed. */
#include <stddef.h>

int sys_csrand_get(void *to, size_t size);
