/* Runs a script in Lua; what follows are its arguments.   run SCRIPT ARGUMENT... */
#include <stdio.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static const luaL_Reg libraries[] = {{"_G", luaopen_base},
                                     {LUA_TABLIBNAME, luaopen_table},
                                     {LUA_STRLIBNAME, luaopen_string},
                                     {LUA_MATHLIBNAME, luaopen_math}};

static int read_file(lua_State *state) {
    luaL_Buffer buffer;
    FILE *file = fopen(luaL_checkstring(state, 1), "rb");
    if (file == NULL)
        return luaL_error(state, "%s cannot be read", lua_tostring(state, 1));
    luaL_buffinit(state, &buffer);
    for (size_t got = 1; got > 0;) {
        char *part = luaL_prepbuffsize(&buffer, 512);
        got = fread(part, 1, 512, file);
        luaL_addsize(&buffer, got);
    }
    fclose(file);
    luaL_pushresult(&buffer);
    return 1;
}

int main(int argc, char **argv) {
    lua_State *state = luaL_newstate();
    if (argc < 2 || state == NULL)
        return 2;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        luaL_requiref(state, libraries[i].name, libraries[i].func, 1);
        lua_pop(state, 1);
    }
    lua_register(state, "read_file", read_file);
    if (luaL_loadfile(state, argv[1]) != LUA_OK) {
        fprintf(stderr, "%s\n", lua_tostring(state, -1));
        return 1;
    }
    for (int i = 2; i < argc; i++)
        lua_pushstring(state, argv[i]);
    if (lua_pcall(state, argc - 2, 0, 0) != LUA_OK) {
        fprintf(stderr, "%s\n", lua_tostring(state, -1));
        return 1;
    }
    lua_close(state);
    return 0;
}
