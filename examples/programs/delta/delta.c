/* The difference of two versions of a device's firmware: the signature of the old one, and from it
 * the commands that make the new one.   delta OLD NEW BLOCK SIGNATURE DELTA */
#include <stdlib.h>

#include "crank.h"

static rs_result between(FILE *from, FILE *to, rs_job_t *job) {
    if (!from || !job)
        return RS_IO_ERROR;
    rs_result state = crank(job, from, to);
    fclose(from);
    return to && fclose(to) ? RS_IO_ERROR : state;
}

int main(int argc, char **argv) {
    rs_signature_t *signature;
    if (argc != 6)
        return 2;
    rs_job_t *job = rs_sig_begin((size_t)atoi(argv[3]), 8, RS_RK_BLAKE2_SIG_MAGIC);
    if (between(fopen(argv[1], "rb"), fopen(argv[4], "wb"), job) != RS_DONE)
        return 1;
    job = rs_loadsig_begin(&signature);
    if (between(fopen(argv[4], "rb"), NULL, job) != RS_DONE ||
        rs_build_hash_table(signature) != RS_DONE)
        return 1;
    job = rs_delta_begin(signature);
    if (between(fopen(argv[2], "rb"), fopen(argv[5], "wb"), job) != RS_DONE)
        return 1;
    rs_free_sumset(signature);
    FILE *made = fopen(argv[5], "rb");
    if (!made || fseek(made, 0, SEEK_END))
        return 1;
    printf("%ld bytes\n", ftell(made));
    return fclose(made) != 0;
}
