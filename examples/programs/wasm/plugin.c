/* Runs the plug-in of a device, which is a module of WebAssembly: all that it may call is say().
 * plugin MODULE FUNCTION=ARGUMENT... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "m3_api_defs.h"
#include "wasm3.h"

#define STACK_BYTES 8192

static unsigned said;

m3ApiRawFunction(say) {
    m3ApiGetArg(int32_t, value);
    said++;
    printf("  %ld\n", (long)value);
    m3ApiSuccess();
}

static void must(M3Result state) {
    if (state) {
        puts(state);
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv) {
    static uint8_t code[4096];
    IM3Module module;
    if (argc < 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    if (!input)
        return 1;
    size_t size = fread(code, 1, sizeof code, input);
    fclose(input);
    IM3Environment environment = m3_NewEnvironment();
    IM3Runtime runtime = m3_NewRuntime(environment, STACK_BYTES, NULL);
    must(m3_ParseModule(environment, &module, code, (uint32_t)size));
    must(m3_LoadModule(runtime, module));
    must(m3_LinkRawFunction(module, "device", "say", "v(i)", say));
    for (int i = 2; i < argc; i++) {
        char *argument = strchr(argv[i], '=');
        IM3Function function;
        if (!argument)
            return 2;
        *argument++ = 0;
        must(m3_FindFunction(&function, runtime, argv[i]));
        printf("%s\n", argv[i]);
        must(m3_CallWithArgs(function, 1, (const char *const *)&argument));
    }
    printf("%u said\n", said);
    m3_FreeRuntime(runtime);
    m3_FreeEnvironment(environment);
    return 0;
}
