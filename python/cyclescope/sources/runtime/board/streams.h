/* Streams as newlib-nano has them: which call fills or empties which buffer, and when. */
#ifndef STREAMS_H
#define STREAMS_H

#include <stddef.h>

struct board_stream;

extern struct board_stream *board_input, *board_output, *board_errors;

/* Makes the three standard streams, if they are not there. */
void stream_begin(void);
void stream_puts_bytes(const char *text, size_t size);
struct board_stream *stream_fopen(const char *path, const char *mode);
int stream_fclose(struct board_stream *stream);
size_t stream_fread(struct board_stream *stream, void *to, size_t size);
size_t stream_fwrite(struct board_stream *stream, const void *from, size_t size);
int stream_fputs(struct board_stream *stream, const char *text);
int stream_puts(const char *text);
char *stream_fgets(struct board_stream *stream, char *to, int most);
int stream_getc(struct board_stream *stream);
int stream_putc(struct board_stream *stream, int byte);
int stream_fputc(struct board_stream *stream, int byte);
int stream_ungetc(struct board_stream *stream, int byte);
int stream_fseek(struct board_stream *stream, long offset, int whence);
long stream_ftell(struct board_stream *stream);
int stream_fflush(struct board_stream *stream);
int stream_feof(struct board_stream *stream);
int stream_setvbuf(struct board_stream *stream, char *buffer, int mode, size_t size);
int stream_fileno(struct board_stream *stream);

/* Texts as printf() makes them: pieces between conversions, and what conversions give. */
int stream_vfprintf(struct board_stream *stream, const char *format, __builtin_va_list values);

/* Counts the parts of a text that vsnprintf() makes, of `most` bytes at most. */
void text_made(const char *to, size_t most, const char *format, __builtin_va_list values);

/* Counts the parts of reading `consumed` bytes of text by a format. */
void text_read(const char *format, const char *text, size_t consumed);
void stream_fscanf(struct board_stream *stream, const char *format, const char *text,
                   size_t consumed);

/* Copies what the buffer still has, filled if it is empty; returns how many bytes. */
size_t stream_peek(struct board_stream *stream, char *to, size_t most);

#endif
