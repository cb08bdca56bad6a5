/* Conditions whose sides leave no statement behind: conditional expressions and a clamp. */
static unsigned short checked = 0xFFFF;
static int levels[64], widened;
static volatile unsigned seed = 12345;

static unsigned drawn(void) {
    return seed = seed * 1103515245 + 12345;
}

int main(void) {
    for (unsigned n = 0; n < 300; n++) {
        unsigned short crc = checked ^ (drawn() >> 24);
        for (int i = 0; i < 8; i++)
            crc = crc & 1 ? (unsigned short)(crc >> 1 ^ 0x8408) : (unsigned short)(crc >> 1);
        checked = crc;
    }
    for (unsigned n = 0; n < 300; n++) {
        int level = (int)(drawn() >> 20) - 2048 + levels[n & 63];
        if (level > 900)
            level = 900;
        widened += level < 0 ? -level / 3 : level;
        levels[n & 63] = level;
    }
    return checked + widened == 0;
}
