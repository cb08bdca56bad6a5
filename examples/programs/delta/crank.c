#include "crank.h"

#include <string.h>

rs_result crank(rs_job_t *job, FILE *input, FILE *output) {
    static char read[512], made[512];
    rs_buffers_t buffers = {.next_in = read, .next_out = made, .avail_out = sizeof made};
    rs_result state;
    do {
        if (!buffers.eof_in) {
            memmove(read, buffers.next_in, buffers.avail_in);
            buffers.next_in = read;
            size_t wanted = sizeof read - buffers.avail_in;
            size_t got = fread(read + buffers.avail_in, 1, wanted, input);
            buffers.avail_in += got;
            buffers.eof_in = got < wanted;
        }
        state = rs_job_iter(job, &buffers);
        if (output)
            fwrite(made, 1, sizeof made - buffers.avail_out, output);
        buffers.next_out = made;
        buffers.avail_out = sizeof made;
    } while (state == RS_BLOCKED);
    rs_job_free(job);
    return state;
}
