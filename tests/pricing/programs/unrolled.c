/* A loop that the compiler unrolls into one block, whose places it repeats there. */
static unsigned list[64], sums[8];

int main(void) {
    unsigned sum = 1;
    for (unsigned turn = 0; turn < 60; turn++) {
#pragma GCC unroll 8
        for (unsigned i = 0; i < 64; i++) {
            sum = sum * 31 + list[i];
            list[i] = sum ^ turn;
            sums[turn & 7] += sum >> 28;
        }
    }
    return (sum ^ sums[3]) == 12345;
}
