/* Runs a script of Wren that reads lines and writes a report.   stock SCRIPT LINES OUTPUT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wren.h"

static FILE *input, *output;

/* Numbers of Wren: a C library for a board may print no floating point. */
int wren_sprintf(char *to, const char *format, ...) {
    va_list arguments;
    int length;
    va_start(arguments, format);
    if (strcmp(format, "%.14g"))
        length = vsprintf(to, format, arguments);
    else {
        double value = va_arg(arguments, double);
        long whole = (long)value;
        long part = labs(lround((value - (double)whole) * 1e6));
        length = 0;
        if (value < 0)
            to[length++] = '-';
        length += snprintf(to + length, 12, "%ld", labs(whole));
        if (part) {
            to[length++] = '.';
            for (long one = 100000; part; one /= 10) {
                to[length++] = (char)('0' + part / one);
                part %= one;
            }
            to[length] = 0;
        }
    }
    va_end(arguments);
    return length;
}

static void write_text(WrenVM *vm, const char *text) {
    (void)vm;
    fputs(text, stdout);
}

static void complain(WrenVM *vm, WrenErrorType type, const char *module, int line,
                     const char *message) {
    (void)vm;
    printf("%s line %d: %s (%d)\n", module ? module : "-", line, message, (int)type);
}

static void host_line(WrenVM *vm) {
    char line[100];
    if (!fgets(line, sizeof line, input)) {
        wrenSetSlotNull(vm, 0);
        return;
    }
    line[strcspn(line, "\n")] = 0;
    wrenSetSlotString(vm, 0, line);
}

static void host_write(WrenVM *vm) {
    fputs(wrenGetSlotString(vm, 1), output);
}

static WrenForeignMethodFn bind(WrenVM *vm, const char *module, const char *class_name,
                                bool is_static, const char *signature) {
    (void)vm;
    (void)module;
    if (!is_static || strcmp(class_name, "Host"))
        return NULL;
    return strcmp(signature, "line()") ? host_write : host_line;
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    FILE *script = fopen(argv[1], "rb");
    input = fopen(argv[2], "r");
    output = fopen(argv[3], "w");
    if (!script || !input || !output || fseek(script, 0, SEEK_END))
        return 1;
    long size = ftell(script);
    rewind(script);
    char *text = malloc((size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, script) != (size_t)size)
        return 1;
    text[size] = 0;
    WrenConfiguration configuration;
    wrenInitConfiguration(&configuration);
    configuration.writeFn = write_text;
    configuration.errorFn = complain;
    configuration.bindForeignMethodFn = bind;
    configuration.initialHeapSize = 256 * 1024;
    configuration.minHeapSize = 64 * 1024;
    WrenVM *vm = wrenNewVM(&configuration);
    WrenInterpretResult result = wrenInterpret(vm, "main", text);
    wrenFreeVM(vm);
    free(text);
    fclose(script);
    fclose(input);
    return fclose(output) != 0 || result != WREN_RESULT_SUCCESS;
}
