/* The findings of Expat's configure script, for both machines. */
#ifndef EXPAT_CONFIG_H
#define EXPAT_CONFIG_H

#define BYTEORDER 1234
#define HAVE_MEMMOVE 1
#define STDC_HEADERS 1
#define XML_CONTEXT_BYTES 256
#define XML_NS 1

#endif
