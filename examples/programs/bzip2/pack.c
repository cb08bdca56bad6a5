/* Compresses a file by libbz2, with its smallest blocks.   pack INPUT OUTPUT */
#include <stdio.h>

#include "bzlib.h"

/* libbz2 calls it when it finds an error of its own. */
void bz_internal_error(int code) {
    fprintf(stderr, "libbz2: error %d\n", code);
}

int main(int argc, char **argv) {
    static char part[1000];
    int error;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL)
        return 1;
    BZFILE *packed = BZ2_bzWriteOpen(&error, output, 1, 0, 30);
    for (size_t got; error == BZ_OK && (got = fread(part, 1, sizeof part, input)) > 0;)
        BZ2_bzWrite(&error, packed, part, (int)got);
    if (error != BZ_OK)
        return 1;
    BZ2_bzWriteClose(&error, packed, 0, NULL, NULL);
    fclose(input);
    return fclose(output) != 0 || error != BZ_OK;
}
