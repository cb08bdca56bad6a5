/* The empty call. It stands in a file of its own, so that no caller can be compiled for what it
 * does. Every case calls it with its own callee's type (case.h). It begins a line of whatever
 * buffers its fetches and stays there in every layout: what it costs is taken from every call. */
void empty_call(void);

__attribute__((aligned(32), section(".text.timed.empty_call"))) void empty_call(void) {}
