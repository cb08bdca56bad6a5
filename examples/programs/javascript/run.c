/* Runs a script of JavaScript, which prints and reads lines of a file.   run SCRIPT FILE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "duktape.h"

static FILE *lines;

static duk_ret_t print(duk_context *context) {
    duk_idx_t count = duk_get_top(context);
    for (duk_idx_t i = 0; i < count; i++)
        printf("%s%s", i ? " " : "", duk_safe_to_string(context, i));
    putchar('\n');
    return 0;
}

static duk_ret_t next_line(duk_context *context) {
    char line[128];
    if (!fgets(line, sizeof line, lines))
        return 0;
    duk_push_lstring(context, line, strcspn(line, "\n"));
    return 1;
}

static void fatal(void *data, const char *message) {
    (void)data;
    printf("fatal: %s\n", message ? message : "");
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    FILE *file = fopen(argv[1], "rb");
    lines = fopen(argv[2], "r");
    if (!file || !lines || fseek(file, 0, SEEK_END))
        return 1;
    size_t size = (size_t)ftell(file);
    char *script = malloc(size);
    rewind(file);
    if (!script || fread(script, 1, size, file) != size)
        return 1;
    fclose(file);
    duk_context *context = duk_create_heap(NULL, NULL, NULL, NULL, fatal);
    if (!context)
        return 1;
    duk_push_c_function(context, print, DUK_VARARGS);
    duk_put_global_string(context, "print");
    duk_push_c_function(context, next_line, 0);
    duk_put_global_string(context, "nextLine");
    int failed = duk_peval_lstring(context, script, size);
    if (failed)
        printf("%s\n", duk_safe_to_string(context, -1));
    duk_destroy_heap(context);
    free(script);
    fclose(lines);
    return failed != 0;
}
