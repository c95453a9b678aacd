/* decimal_double.c: decimals and doubles: the nearest double, and the exact comparison of the two.
 *
 * For the comparison both sides are made integers, which needs up to 1254 bits: a Long. */
#include "src/base/decimal.h"

#include <math.h>
#include <stdlib.h>

typedef unsigned __int128 Natural;

static Natural magnitude(Int128 a) { return a < 0 ? -(Natural)a : (Natural)a; }

double decimal_to_double(Decimal a) {
  /* Both exact below 2^53 and 10^22: then one correctly rounded division; else by the digits. */
  Natural natural = magnitude(a.coefficient);
  if (natural < (Natural)1 << 53 && a.scale <= 22) {
    static const double tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double real = (double)(uint64_t)natural / tens[a.scale];
    return a.coefficient < 0 ? -real : real;
  }
  if (a.scale == 0) return (double)a.coefficient;
  char buffer[DECIMAL_TEXT];
  decimal_format(a, buffer);
  return strtod(buffer, NULL);
}

/* A natural of up to 1536 bits, least word first. */
enum { LONG_WORDS = 48 };
typedef struct Long {
  uint32_t words[LONG_WORDS];
} Long;

static Long long_of(Natural natural, unsigned shift) {
  Long result = {{0}};
  unsigned place = shift / 32, bits = shift % 32;
  for (unsigned i = 0; i < 4; i++) {
    uint64_t word = (uint64_t)(uint32_t)(natural >> (32 * i)) << bits;
    result.words[place + i] |= (uint32_t)word;
    result.words[place + i + 1] |= (uint32_t)(word >> 32);
  }
  return result;
}

static void long_scale(Long *number, unsigned exponent) {
  for (; exponent > 0; exponent--) {
    uint64_t carry = 0;
    for (unsigned i = 0; i < LONG_WORDS; i++) {
      carry += (uint64_t)number->words[i] * 10;
      number->words[i] = (uint32_t)carry;
      carry >>= 32;
    }
  }
}

static int long_compare(const Long *a, const Long *b) {
  for (unsigned i = LONG_WORDS; i-- > 0;)
    if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
  return 0;
}

int decimal_compare_double(Decimal a, double b) {
  bool negative = a.coefficient < 0;
  if (b == 0) return negative ? -1 : a.coefficient > 0;
  if (negative != (b < 0) || a.coefficient == 0) return b < 0 ? 1 : -1;
  double size = fabs(b);
  int order;
  if (size >= 1e39) {
    order = -1;
  } else {
    /* |a| = c / 10^s against m * 2^e with integral m: both sides are made integers. */
    int exponent;
    Natural mantissa = (Natural)ldexp(frexp(size, &exponent), 53);
    exponent -= 53;
    Long left = long_of(magnitude(a.coefficient), exponent < 0 ? (unsigned)-exponent : 0);
    Long right = long_of(mantissa, exponent > 0 ? (unsigned)exponent : 0);
    long_scale(&right, a.scale);
    order = long_compare(&left, &right);
  }
  return negative ? -order : order;
}
