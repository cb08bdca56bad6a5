/* Decodes what encode wrote and lists the loudest sample of each frame.   decode INPUT OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "FLAC/stream_decoder.h"

static FILE *input, *output;
static unsigned frames, errors;

static FLAC__StreamDecoderReadStatus get(const FLAC__StreamDecoder *decoder, FLAC__byte buffer[],
                                         size_t *bytes, void *unused) {
    (void)decoder, (void)unused;
    *bytes = fread(buffer, 1, *bytes, input);
    return *bytes ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
                  : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM;
}

static FLAC__StreamDecoderWriteStatus put(const FLAC__StreamDecoder *decoder,
                                          const FLAC__Frame *frame,
                                          const FLAC__int32 *const buffer[], void *unused) {
    int loudest = 0;
    (void)decoder, (void)unused;
    for (unsigned i = 0; i < frame->header.blocksize; i++) {
        int value = (int)buffer[0][i];
        uint8_t raw[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
        if (fwrite(raw, 1, 2, output) != 2)
            return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
        if (abs(value) > loudest)
            loudest = abs(value);
    }
    printf("%u:%d\n", frames++, loudest);
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

static void bad(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status,
                void *unused) {
    (void)decoder, (void)status, (void)unused;
    errors++;
}

int main(int argc, char **argv) {
    FLAC__StreamDecoder *decoder = FLAC__stream_decoder_new();
    if (argc != 3 || !decoder)
        return 2;
    if (!(input = fopen(argv[1], "rb")) || !(output = fopen(argv[2], "wb")))
        return 1;
    FLAC__stream_decoder_set_md5_checking(decoder, 1);
    if (FLAC__stream_decoder_init_stream(decoder, get, NULL, NULL, NULL, NULL, put, NULL, bad,
                                         NULL))
        return 1;
    int good = FLAC__stream_decoder_process_until_end_of_stream(decoder);
    good &= FLAC__stream_decoder_finish(decoder);
    FLAC__stream_decoder_delete(decoder);
    printf("%s, %u errors\n", good ? "whole" : "damaged", errors);
    fclose(input);
    return fclose(output) || !good;
}
