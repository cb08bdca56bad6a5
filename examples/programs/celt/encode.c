/* Encodes sound of 48 kHz by Opus Custom in fixed point, with a delay of 5 ms.   encode INPUT
 * OUTPUT BYTES */
#include <opus_custom.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLE_RATE_HZ 48000
#define FRAME_SAMPLES 240
#define MAX_PACKET 200

int main(int argc, char *argv[]) {
    opus_int16 pcm[FRAME_SAMPLES];
    unsigned char packet[MAX_PACKET];
    unsigned long frames = 0, total = 0;
    int error, budget, status = EXIT_FAILURE;

    if (argc != 4 || (budget = atoi(argv[3])) < 8 || budget > MAX_PACKET)
        return EXIT_FAILURE;
    FILE *in = fopen(argv[1], "rb");
    FILE *out = fopen(argv[2], "wb");
    OpusCustomMode *mode = opus_custom_mode_create(SAMPLE_RATE_HZ, FRAME_SAMPLES, &error);
    OpusCustomEncoder *encoder = mode ? opus_custom_encoder_create(mode, 1, &error) : NULL;
    if (!in || !out || !encoder)
        goto cleanup;
    opus_custom_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(3));

    while (fread(pcm, sizeof pcm[0], FRAME_SAMPLES, in) == FRAME_SAMPLES) {
        int length = opus_custom_encode(encoder, pcm, FRAME_SAMPLES, packet, budget);
        if (length < 0)
            goto cleanup;
        fputc(length, out);
        fwrite(packet, 1, (size_t)length, out);
        frames++;
        total += (unsigned long)length;
    }
    printf("%lu frames, %lu bytes\n", frames, total);
    status = EXIT_SUCCESS;

cleanup:
    if (encoder)
        opus_custom_encoder_destroy(encoder);
    if (mode)
        opus_custom_mode_destroy(mode);
    if (in)
        fclose(in);
    if (out && fclose(out))
        status = EXIT_FAILURE;
    return status;
}
