/* Brings speech of 8 kHz to another rate by libsamplerate, on straight lines, in blocks.
 * resample RATE INPUT OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samplerate.h"

#define BLOCK 256
#define RATE_HZ 8000

int main(int argc, char **argv) {
    static short in[BLOCK], out[4 * BLOCK];
    static float samples[BLOCK], resampled[4 * BLOCK];
    SRC_DATA job;
    int error, target_hz;
    long made = 0;

    if (argc != 4 || (target_hz = atoi(argv[1])) < RATE_HZ / 4 || target_hz > 3 * RATE_HZ)
        return 2;
    FILE *source = fopen(argv[2], "rb"), *sink = fopen(argv[3], "wb");
    SRC_STATE *converter = src_new(SRC_LINEAR, 1, &error);
    if (!source || !sink || !converter) {
        printf("%s\n", src_strerror(error));
        return 1;
    }
    memset(&job, 0, sizeof job);
    job.src_ratio = (double)target_hz / RATE_HZ;
    job.data_out = resampled;
    job.output_frames = 4 * BLOCK;
    while (!job.end_of_input) {
        size_t got = fread(in, sizeof in[0], BLOCK, source);
        job.end_of_input = got < BLOCK;
        src_short_to_float_array(in, samples, (int)got);
        job.data_in = samples;
        job.input_frames = (long)got;
        do {
            if ((error = src_process(converter, &job)) != 0) {
                printf("%s\n", src_strerror(error));
                return 1;
            }
            src_float_to_short_array(resampled, out, (int)job.output_frames_gen);
            fwrite(out, sizeof out[0], (size_t)job.output_frames_gen, sink);
            made += job.output_frames_gen;
            job.data_in += job.input_frames_used;
            job.input_frames -= job.input_frames_used;
        } while (job.input_frames > 0 || (job.end_of_input && job.output_frames_gen > 0));
    }
    printf("%ld samples\n", made);
    src_delete(converter);
    fclose(source);
    return fclose(sink) != 0;
}
