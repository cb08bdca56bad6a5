/* The FreeRTOS port includes this header, and uses nothing of the parallel I/O. */
