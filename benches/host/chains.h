/* Fragments of known relative length: chains of multiplications, each waiting for the one before.
 *
 * The chain goes through one register that nobody else uses, and on from one call to the next. So
 * calls of a chain of n last n times the latency of a multiplication. Anything else that a call or
 * a loop does is done meanwhile. T(n) = b n, with no intercept. */
#ifndef CHAINS_H
#define CHAINS_H

#ifdef __cplusplus
extern "C" {
#endif

/* X(n) for each length in instructions; the first lasts 40 ns at 2.7 GHz. */
#define CHAINS(X) X(36) X(50) X(100) X(150) X(200) X(250) X(300) X(5000) X(10000)

#define DECLARE_CHAIN(n) void chain_##n(void);
CHAINS(DECLARE_CHAIN)
#undef DECLARE_CHAIN

#ifdef __cplusplus
}
#endif
#endif
