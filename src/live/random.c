/* random.c: xoshiro256** after Blackman and Vigna, and the draws that workloads need. */
#include "src/live/random.h"

#include <assert.h>

static uint64_t splitmix(uint64_t *state) {
  uint64_t mixed = (*state += 0x9e3779b97f4a7c15u);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

/* The three numbers are folded one after the other, so that (1, 2) and (2, 1) differ. */
void random_seed(Random *random, uint64_t seed, uint64_t stream, uint64_t index) {
  uint64_t state = seed;
  state = splitmix(&state) ^ stream;
  state = splitmix(&state) ^ index;
  for (int word = 0; word < 4; word++) random->state[word] = splitmix(&state);
}

static uint64_t rotate(uint64_t word, int bits) { return (word << bits) | (word >> (64 - bits)); }

uint64_t random_next(Random *random) {
  uint64_t *state = random->state;
  uint64_t result = rotate(state[1] * 5, 7) * 9;
  uint64_t shifted = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= shifted;
  state[3] = rotate(state[3], 45);
  return result;
}

int64_t random_between(Random *random, int64_t low, int64_t high) {
  assert(low <= high);
  uint64_t span = (uint64_t)high - (uint64_t)low + 1;
  if (!span) return (int64_t)random_next(random);
  /* The high half of the product: as even as 64 bits allow, without a division. */
  uint64_t offset = (uint64_t)(((unsigned __int128)random_next(random) * span) >> 64);
  return (int64_t)((uint64_t)low + offset);
}

bool random_percent(Random *random, unsigned percent) { return random_between(random, 1, 100) <= percent; }

unsigned random_weighted(Random *random, const unsigned *weights, unsigned count) {
  int64_t total = 0;
  for (unsigned i = 0; i < count; i++) total += weights[i];
  assert(total > 0);
  int64_t left = random_between(random, 0, total - 1);
  unsigned chosen = 0;
  while (left >= weights[chosen]) left -= weights[chosen++];
  return chosen;
}

static void random_symbols(Random *random, const char *symbols, int64_t symbol_count, char *buffer,
                           size_t length) {
  for (size_t i = 0; i < length; i++) buffer[i] = symbols[random_between(random, 0, symbol_count - 1)];
  buffer[length] = 0;
}

void random_letters(Random *random, char *buffer, size_t length) {
  random_symbols(random, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 52, buffer, length);
}

void random_digits(Random *random, char *buffer, size_t length) {
  random_symbols(random, "0123456789", 10, buffer, length);
}

int64_t random_skewed(Random *random, int64_t span, int64_t constant, int64_t low, int64_t high) {
  int64_t either = random_between(random, 0, span) | random_between(random, low, high);
  return (either + constant) % (high - low + 1) + low;
}
