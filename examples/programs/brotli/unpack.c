/* Unpacks a stream of Brotli through two small buffers.   unpack INPUT OUTPUT */
#include <brotli/decode.h>
#include <stdio.h>

#define CHUNK 512

int main(int argc, char **argv) {
    static uint8_t in[CHUNK], out[2 * CHUNK];
    size_t in_left = 0, out_left = sizeof out, total = 0;
    const uint8_t *next_in = in;
    uint8_t *next_out = out;
    BrotliDecoderState *state;
    BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT;
    FILE *source, *sink;

    if (argc != 3)
        return 2;
    source = fopen(argv[1], "rb");
    sink = fopen(argv[2], "wb");
    state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (!source || !sink || !state)
        return 1;
    for (;;) {
        if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT) {
            in_left = fread(in, 1, sizeof in, source);
            if (in_left == 0)
                break;
            next_in = in;
        } else {
            fwrite(out, 1, (size_t)(next_out - out), sink);
            if (result != BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT)
                break;
            next_out = out;
            out_left = sizeof out;
        }
        result =
            BrotliDecoderDecompressStream(state, &in_left, &next_in, &out_left, &next_out, &total);
    }
    BrotliDecoderDestroyInstance(state);
    printf("%u bytes\n", (unsigned)total);
    fclose(source);
    return fclose(sink) || result != BROTLI_DECODER_RESULT_SUCCESS;
}
