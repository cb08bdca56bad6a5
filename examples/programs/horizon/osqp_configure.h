/* OSQP as a controller has it: double precision, no clock, nothing printed. */
#ifndef OSQP_CONFIGURE_H
#define OSQP_CONFIGURE_H
#endif
