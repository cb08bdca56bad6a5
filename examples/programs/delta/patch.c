/* Makes the new version of a firmware from the old one and what differs.   patch OLD DELTA NEW */
#include <stdlib.h>

#include "crank.h"

static rs_result piece(void *old, rs_long_t from, size_t *size, void **to) {
    if (fseek(old, (long)from, SEEK_SET))
        return RS_IO_ERROR;
    size_t got = fread(*to, 1, *size, old);
    if (got == 0)
        return RS_INPUT_ENDED;
    *size = got;
    return RS_DONE;
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    FILE *old = fopen(argv[1], "rb"), *delta = fopen(argv[2], "rb"), *made = fopen(argv[3], "wb");
    if (!old || !delta || !made)
        return 1;
    rs_result state = crank(rs_patch_begin(piece, old), delta, made);
    printf("%s, %ld bytes\n", rs_strerror(state), ftell(made));
    fclose(old);
    fclose(delta);
    return fclose(made) != 0 || state != RS_DONE;
}
