/* Codes samples of 16 bits at 8 kHz without loss.   encode INPUT OUTPUT LEVEL */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "FLAC/stream_encoder.h"

#define PIECE 512

static FLAC__StreamEncoderWriteStatus put(const FLAC__StreamEncoder *encoder,
                                          const FLAC__byte buffer[], size_t bytes, uint32_t samples,
                                          uint32_t frame, void *file) {
    (void)encoder, (void)samples, (void)frame;
    return fwrite(buffer, 1, bytes, file) == bytes ? FLAC__STREAM_ENCODER_WRITE_STATUS_OK
                                                   : FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR;
}

int main(int argc, char **argv) {
    static uint8_t raw[2 * PIECE];
    static FLAC__int32 samples[PIECE];
    FLAC__StreamEncoder *encoder = FLAC__stream_encoder_new();
    size_t count;

    if (argc != 4 || !encoder)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output)
        return 1;
    FLAC__stream_encoder_set_channels(encoder, 1);
    FLAC__stream_encoder_set_bits_per_sample(encoder, 16);
    FLAC__stream_encoder_set_sample_rate(encoder, 8000);
    FLAC__stream_encoder_set_compression_level(encoder, (uint32_t)atoi(argv[3]));
    FLAC__stream_encoder_set_blocksize(encoder, 1152);
    if (FLAC__stream_encoder_init_stream(encoder, put, NULL, NULL, NULL, output))
        return 1;
    while ((count = fread(raw, 2, PIECE, input)) > 0) {
        for (size_t i = 0; i < count; i++)
            samples[i] = (int16_t)(raw[2 * i] | raw[2 * i + 1] << 8);
        if (!FLAC__stream_encoder_process_interleaved(encoder, samples, (uint32_t)count)) {
            puts(FLAC__stream_encoder_get_resolved_state_string(encoder));
            return 1;
        }
    }
    if (!FLAC__stream_encoder_finish(encoder))
        return 1;
    printf("%ld bytes of %ld\n", ftell(output), ftell(input));
    FLAC__stream_encoder_delete(encoder);
    fclose(input);
    return fclose(output) != 0;
}
