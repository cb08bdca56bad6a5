/* Splits a text into words, looks them up in a tree, searches it, and counts classes of characters.
 */
#include <stdint.h>

#define NONE -1
#define IS_LETTER(c) (((c) >= 'a' && (c) <= 'z') || ((c) >= 'A' && (c) <= 'Z'))

struct node {
    char word[12];
    int left, right, count;
};

static struct node nodes[64];
static int used;
static const char text[] =
    "It is a truth universally acknowledged, that a single man in possession of a good fortune, "
    "must be in want of a wife. However little known the feelings or views of such a man may be on "
    "his first entering a neighbourhood, this truth is so well fixed in the minds of 17 families.";

static int compare(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

static int insert(int at, const char *word) {
    int order;
    if (at == NONE) {
        struct node *made = &nodes[used];
        int i = 0;
        do
            made->word[i] = word[i];
        while (word[i++]);
        made->left = made->right = NONE;
        made->count = 1;
        return used++;
    }
    order = compare(word, nodes[at].word);
    if (order < 0)
        nodes[at].left = insert(nodes[at].left, word);
    else if (order > 0)
        nodes[at].right = insert(nodes[at].right, word);
    else
        nodes[at].count++;
    return at;
}

static int depth(int at) {
    if (at == NONE)
        return 0;
    int left = depth(nodes[at].left), right = depth(nodes[at].right);
    return 1 + (left > right ? left : right);
}

static int occurrences(const char *pattern) {
    int count = 0;
    for (const char *s = text; *s; s++) {
        const char *p = pattern, *q = s;
        for (; *p; p++, q++)
            if (*p != *q)
                goto next;
        count++;
    next:;
    }
    return count;
}

static int classes(void) {
    int sum = 0;
    for (const char *s = text; *s; s++) {
        switch (*s) {
        case 'a':
        case 'e':
        case 'i':
        case 'o':
        case 'u':
            sum += 3;
            break;
        case ' ':
            sum++;
            /* fall through */
        case ',':
        case '.':
            sum ^= 1;
            break;
        case '0':
        case '1':
        case '2':
        case '3':
        case '4':
        case '5':
        case '6':
        case '7':
            sum += *s - '0';
            break;
        default:
            if (IS_LETTER(*s))
                sum += 2;
            else
                sum--;
        }
    }
    return sum;
}

int main(void) {
    int root = NONE;
    const char *s = text;
    while (*s) {
        char word[12];
        int n = 0;
        while (*s && !IS_LETTER(*s))
            s++;
        while (IS_LETTER(*s) && n < 11)
            word[n++] = *s++;
        while (IS_LETTER(*s))
            s++;
        if (n == 0)
            continue;
        word[n] = 0;
        root = insert(root, word);
    }
    return (depth(root) << 16) + (used << 8) + occurrences("in") + classes();
}
