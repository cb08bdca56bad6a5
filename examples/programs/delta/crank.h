/* Runs a job of librsync from one file to another. */
#include <stdio.h>

#include "librsync.h"

rs_result crank(rs_job_t *job, FILE *input, FILE *output);
