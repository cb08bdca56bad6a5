# avr-libc below the cases: no system calls, and a heap that begins at a symbol. Its double is a float, and it has no
# other functions of float. The functions behind operators are ARM's.
LIBRARY_ARENA := arch/avr/arena
LIBRARY_SYSTEM :=
LIBRARY_LACKS := float_mathematics arithmetic
# Its declarations say that calls may be left out; the compiler shall not know.
LIBRARY_FLAGS := -D__ATTR_CONST__= -D__ATTR_PURE__=
LIBRARY_LINK_FLAGS := -Wl,--defsym=__heap_start=arena
# Text of floating-point numbers comes from libraries of its own.
LINK_FOR_FLOAT_avr-libc := -Wl,-u,vfprintf -Wl,-u,vfscanf -lprintf_flt -lscanf_flt
