/* random.h: seeded random numbers (xoshiro256**, seeded through splitmix64).
 *
 * The same seed gives the same numbers on every machine.  Each transaction of each
 * client has a generator of its own (random_seed with its three numbers), so what one
 * transaction draws, or how often it is retried, never changes another. */
#ifndef ALIBI_LIVE_RANDOM_H
#define ALIBI_LIVE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Random {
  uint64_t state[4];
} Random;

void random_seed(Random *random, uint64_t seed, uint64_t stream, uint64_t index);
uint64_t random_next(Random *random);
/* Uniform in [low, high], both included. */
int64_t random_between(Random *random, int64_t low, int64_t high);
bool random_percent(Random *random, unsigned percent);
/* The index of a weight, each with its share of the total, which is not zero. */
unsigned random_weighted(Random *random, const unsigned *weights, unsigned count);
/* Letters, digits or both into the buffer, NUL-terminated: buffer has room for length + 1. */
void random_letters(Random *random, char *buffer, size_t length);
void random_digits(Random *random, char *buffer, size_t length);
/* TPC-C 2.1.6: non-uniform in [low, high]. */
int64_t random_skewed(Random *random, int64_t span, int64_t constant, int64_t low, int64_t high);

#endif
