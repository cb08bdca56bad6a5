/* The empty call. It stands in a file of its own, so that no caller can be compiled for what it
 * does; every case calls it with its own callee's type (case.h). */
void empty_call(void);

void empty_call(void) {}
