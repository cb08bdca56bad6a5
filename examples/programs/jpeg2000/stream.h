/* Streams of OpenJPEG on files of C. */
#include "openjpeg.h"

opj_stream_t *open_stream(const char *path, int to_write);
void report_errors(opj_codec_t *codec);
