/* Decompresses a file by libbz2, in its way that needs less memory.   unpack INPUT OUTPUT */
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
    BZFILE *packed = BZ2_bzReadOpen(&error, input, 0, 1, NULL, 0);
    while (error == BZ_OK) {
        int got = BZ2_bzRead(&error, packed, part, sizeof part);
        if (error == BZ_OK || error == BZ_STREAM_END)
            fwrite(part, 1, (size_t)got, output);
    }
    int failed = error != BZ_STREAM_END;
    BZ2_bzReadClose(&error, packed);
    fclose(input);
    return fclose(output) != 0 || failed;
}
