#include "stream.h"

#include <stdio.h>
#include <stdlib.h>

static OPJ_SIZE_T take(void *to, OPJ_SIZE_T size, void *file) {
    size_t got = fread(to, 1, size, file);
    return got ? got : (OPJ_SIZE_T)-1;
}

static OPJ_SIZE_T put(void *from, OPJ_SIZE_T size, void *file) {
    return fwrite(from, 1, size, file);
}

static OPJ_BOOL seek(OPJ_OFF_T at, void *file) {
    return fseek(file, (long)at, SEEK_SET) == 0;
}

static OPJ_OFF_T skip(OPJ_OFF_T by, void *file) {
    return fseek(file, (long)by, SEEK_CUR) == 0 ? by : -1;
}

static void complain(const char *message, void *unused) {
    (void)unused;
    fputs(message, stdout);
}

opj_stream_t *open_stream(const char *path, int to_write) {
    FILE *file = fopen(path, to_write ? "wb" : "rb");
    opj_stream_t *stream = opj_stream_create(4096, !to_write);
    if (!file || !stream || fseek(file, 0, SEEK_END))
        exit(1);
    opj_stream_set_user_data(stream, file, (opj_stream_free_user_data_fn)fclose);
    opj_stream_set_user_data_length(stream, (OPJ_UINT64)ftell(file));
    rewind(file);
    opj_stream_set_read_function(stream, take);
    opj_stream_set_write_function(stream, put);
    opj_stream_set_seek_function(stream, seek);
    opj_stream_set_skip_function(stream, skip);
    return stream;
}

void report_errors(opj_codec_t *codec) {
    opj_set_error_handler(codec, complain, NULL);
    opj_set_warning_handler(codec, complain, NULL);
}
