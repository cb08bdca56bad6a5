/* Keeps a field of measured values in few bytes: no value is off by more than a tolerance.
 * archive FIELD COLUMNS ROWS TOLERANCE PACKED AGAIN */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zfp.h"

/* Packs or unpacks; returns how many bytes of the buffer it took. */
static size_t run(float *values, uint columns, uint rows, double tolerance, void *buffer,
                  size_t capacity, int unpack) {
    zfp_field *field = zfp_field_2d(values, zfp_type_float, columns, rows);
    zfp_stream *stream = zfp_stream_open(NULL);
    bitstream *bits = stream_open(buffer, capacity);
    zfp_stream_set_accuracy(stream, tolerance);
    zfp_stream_set_bit_stream(stream, bits);
    zfp_stream_rewind(stream);
    size_t size = unpack ? zfp_decompress(stream, field) : zfp_compress(stream, field);
    zfp_field_free(field);
    zfp_stream_close(stream);
    stream_close(bits);
    return size;
}

int main(int argc, char **argv) {
    if (argc != 7)
        return 2;
    uint columns = (uint)atoi(argv[2]), rows = (uint)atoi(argv[3]);
    size_t count = (size_t)columns * rows, capacity = count * sizeof(float) + 1024;
    double tolerance = strtod(argv[4], NULL);
    FILE *input = fopen(argv[1], "rb"), *packed = fopen(argv[5], "wb"),
         *again = fopen(argv[6], "wb");
    float *values = malloc(count * sizeof *values);
    void *buffer = malloc(capacity);
    if (!input || !packed || !again || !values || !buffer)
        return 1;
    if (fread(values, sizeof *values, count, input) != count)
        return 1;
    size_t size = run(values, columns, rows, tolerance, buffer, capacity, 0);
    memset(values, 0, count * sizeof *values);
    fwrite(buffer, 1, size, packed);
    if (run(values, columns, rows, tolerance, buffer, capacity, 1) != size)
        return 1;
    fwrite(values, sizeof *values, count, again);
    printf("%lu bytes of %lu\n", (unsigned long)size, (unsigned long)(count * sizeof *values));
    free(values);
    free(buffer);
    fclose(input);
    fclose(packed);
    return fclose(again) != 0;
}
