/* Constants to many digits: pi, e, ln 2, roots, an angle.   constants BITS */
#include <stdio.h>
#include <stdlib.h>

#include "libbf.h"

static void *grow(void *unused, void *block, size_t size) {
    (void)unused;
    if (size)
        return realloc(block, size);
    free(block);
    return NULL;
}

static void show(const char *name, const bf_t *value, limb_t digits) {
    char *text = bf_ftoa(NULL, value, 10, digits, BF_RNDN | BF_FTOA_FORMAT_FIXED);
    if (text)
        printf("%-8s %s\n", name, text);
    bf_free(value->ctx, text);
}

int main(int argc, char **argv) {
    bf_context_t context;
    bf_t a, b, c;
    if (argc != 2)
        return 2;
    limb_t bits = (limb_t)atoi(argv[1]), digits = bits * 3 / 10;

    bf_context_init(&context, grow, NULL);
    bf_init(&context, &a);
    bf_init(&context, &b);
    bf_init(&context, &c);
    bf_const_pi(&a, bits, BF_RNDN);
    show("pi", &a, digits);
    bf_const_log2(&b, bits, BF_RNDN);
    show("ln 2", &b, digits);
    bf_set_ui(&c, 1);
    bf_exp(&b, &c, bits, BF_RNDN);
    show("e", &b, digits);
    bf_div(&c, &a, &b, bits, BF_RNDN);
    bf_atan(&b, &c, bits, BF_RNDN);
    show("atan", &b, digits);
    for (unsigned n = 2; n < 30; n += 3) {
        char name[16];
        bf_set_ui(&a, n);
        bf_sqrt(&b, &a, bits, BF_RNDN);
        bf_mul(&c, &c, &b, bits, BF_RNDN);
        snprintf(name, sizeof name, "root %u", n);
        show(name, &b, digits);
    }
    show("product", &c, digits);
    bf_delete(&a);
    bf_delete(&b);
    bf_delete(&c);
    bf_context_end(&context);
    return 0;
}
