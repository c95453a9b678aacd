/* decimal.c: exact decimals; see decimal.h.
 *
 * The fast paths stay in 128 bits.  Where scaling an operand leaves them, a Wide of 256 bits
 * holds the intermediate value.  All results are checked against 38 digits at the end, in decimal_make. */
#include "src/base/decimal.h"

typedef unsigned __int128 Natural;

/* 10^exponent, exponent at most 38. */
static Natural power(unsigned exponent) {
  static const uint64_t nines[] = {1, UINT64_C(1000000000), UINT64_C(1000000000000000000)};
  static const uint32_t small[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  if (exponent < 27) return (Natural)nines[exponent / 9] * small[exponent % 9];
  return (Natural)nines[2] * nines[(exponent - 18) / 9] * small[exponent % 9];
}

static Natural magnitude(Int128 a) { return a < 0 ? -(Natural)a : (Natural)a; }

static bool decimal_make(Natural natural, bool negative, unsigned scale, Decimal *result) {
  if (natural >= power(DECIMAL_DIGITS)) return false;
  *result = (Decimal){negative ? -(Int128)natural : (Int128)natural, scale};
  return true;
}

/* ---- 256 bits ---------------------------------------------------------------- */

typedef struct Wide {
  Natural high, low;
} Wide;

static Wide wide_multiply(Natural a, Natural b) {
  uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64), b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
  Natural low = (Natural)a0 * b0, middle = (Natural)a0 * b1, other = (Natural)a1 * b0;
  Natural carry = (low >> 64) + (uint64_t)middle + (uint64_t)other;
  return (Wide){(Natural)a1 * b1 + (middle >> 64) + (other >> 64) + (carry >> 64),
                carry << 64 | (uint64_t)low};
}

static int wide_compare(Wide a, Wide b) {
  if (a.high != b.high) return a.high < b.high ? -1 : 1;
  return a.low < b.low ? -1 : a.low > b.low;
}

/* Schoolbook, one bit at a time; false: the quotient has more than 128 bits. */
static bool wide_divide(Wide a, Natural b, Natural *quotient, Natural *remainder) {
  if (a.high >= b) return false;
  Natural rest = a.high, result = 0;
  for (int bit = 127; bit >= 0; bit--) {
    bool carry = rest >> 127;
    rest = rest << 1 | (a.low >> bit & 1);
    result <<= 1;
    if (carry || rest >= b) {
      rest -= b;
      result |= 1;
    }
  }
  *quotient = result;
  *remainder = rest;
  return true;
}

/* a * 10^exponent / b, rounded half away from zero if asked, for naturals. */
static bool natural_scale_divide(Natural a, unsigned exponent, Natural b, bool rounds, Natural *quotient) {
  Natural rest;
  if (exponent > DECIMAL_DIGITS) {
    if (exponent > 2 * DECIMAL_DIGITS || __builtin_mul_overflow(a, power(exponent - DECIMAL_DIGITS), &a))
      return false;
    exponent = DECIMAL_DIGITS;
  }
  Wide scaled = wide_multiply(a, power(exponent));
  if (scaled.high == 0) {
    *quotient = scaled.low / b;
    rest = scaled.low % b;
  } else if (!wide_divide(scaled, b, quotient, &rest)) {
    return false;
  }
  if (rounds && rest >= b - rest) ++*quotient;
  return true;
}

/* ---- Text --------------------------------------------------------------------- */

typedef struct Digits {
  Natural natural;
  unsigned count; /* significant digits taken */
  bool overflow;
} Digits;

static void digits_take(Digits *digits, char c) {
  if (digits->count == 0 && c == '0') return;
  if (digits->count == DECIMAL_DIGITS) {
    digits->overflow = true;
    return;
  }
  digits->natural = digits->natural * 10 + (unsigned)(c - '0');
  digits->count++;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Applies a decimal exponent to digits with `scale` places. */
static bool digits_shift(Digits digits, bool negative, long scale, Decimal *decimal) {
  while (scale < 0 && digits.natural && digits.natural < power(DECIMAL_DIGITS - 1)) {
    digits.natural *= 10;
    scale++;
  }
  if (digits.natural == 0 && scale < 0) scale = 0;
  while (scale > DECIMAL_DIGITS && digits.natural % 10 == 0 && scale > 0) {
    digits.natural /= 10;
    scale--;
    if (digits.natural == 0) scale = DECIMAL_DIGITS;
  }
  if (scale < 0 || scale > DECIMAL_DIGITS) return false;
  return decimal_make(digits.natural, negative, (unsigned)scale, decimal);
}

bool decimal_parse(const char *text, size_t length, Decimal *decimal, bool *overflow) {
  const char *end = text + length;
  bool negative = false, any = false;
  Digits digits = {0};
  long scale = 0, exponent = 0;
  *overflow = false;
  if (text < end && (*text == '-' || *text == '+')) negative = *text++ == '-';
  for (; text < end && is_digit(*text); text++, any = true) digits_take(&digits, *text);
  if (text < end && *text == '.')
    for (text++; text < end && is_digit(*text); text++, any = true, scale++) digits_take(&digits, *text);
  if (!any) return false;
  if (text < end && (*text == 'e' || *text == 'E')) {
    text++;
    bool below = false;
    if (text < end && (*text == '-' || *text == '+')) below = *text++ == '-';
    if (text == end) return false;
    for (; text < end && is_digit(*text); text++)
      if (exponent < 100000) exponent = exponent * 10 + (*text - '0');
    if (below) exponent = -exponent;
  }
  if (text != end) return false;
  if (digits.overflow || !digits_shift(digits, negative, scale - exponent, decimal)) {
    *overflow = true;
    return false;
  }
  return true;
}

size_t decimal_format(Decimal decimal, char buffer[DECIMAL_TEXT]) {
  char reversed[DECIMAL_TEXT];
  size_t count = 0, length = 0;
  Natural natural = magnitude(decimal.coefficient);
  while (natural || count <= decimal.scale) {
    reversed[count++] = (char)('0' + (unsigned)(natural % 10));
    natural /= 10;
  }
  length = 0;
  if (decimal.coefficient < 0) buffer[length++] = '-';
  while (count > 0) {
    if (count == decimal.scale) buffer[length++] = '.';
    buffer[length++] = reversed[--count];
  }
  buffer[length] = 0;
  return length;
}

/* ---- Arithmetic ---------------------------------------------------------------- */

/* The same value at a larger scale. */
static bool decimal_extend(Decimal *a, unsigned scale) {
  if (a->scale == scale) return true;
  unsigned more = scale - a->scale;
  if (more > DECIMAL_DIGITS) return a->coefficient == 0;
  Int128 coefficient;
  if (__builtin_mul_overflow(a->coefficient, (Int128)power(more), &coefficient)) return false;
  *a = (Decimal){coefficient, scale};
  return true;
}

bool decimal_add(Decimal a, Decimal b, Decimal *sum) {
  unsigned scale = a.scale > b.scale ? a.scale : b.scale;
  if (!decimal_extend(&a, scale) || !decimal_extend(&b, scale)) return false;
  Int128 coefficient;
  if (__builtin_add_overflow(a.coefficient, b.coefficient, &coefficient)) return false;
  return decimal_make(magnitude(coefficient), coefficient < 0, scale, sum);
}

bool decimal_subtract(Decimal a, Decimal b, Decimal *difference) {
  b.coefficient = -b.coefficient;
  return decimal_add(a, b, difference);
}

bool decimal_multiply(Decimal a, Decimal b, Decimal *product) {
  Int128 coefficient;
  if (__builtin_mul_overflow(a.coefficient, b.coefficient, &coefficient)) return false;
  if (a.scale + b.scale > DECIMAL_DIGITS) return false;
  return decimal_make(magnitude(coefficient), coefficient < 0, a.scale + b.scale, product);
}

/* a / 10^sa / (b / 10^sb) at `scale` places is a * 10^(scale + sb - sa) / b. */
static bool quotient_at(Decimal a, Decimal b, unsigned scale, bool rounds, Decimal *quotient) {
  int exponent = (int)scale + (int)b.scale - (int)a.scale;
  bool negative = (a.coefficient < 0) != (b.coefficient < 0);
  Natural dividend = magnitude(a.coefficient), divisor = magnitude(b.coefficient), result;
  if (scale > DECIMAL_DIGITS) return false;
  if (exponent < 0) {
    /* A divisor beyond 128 bits is beyond twice any dividend. */
    if (__builtin_mul_overflow(divisor, power((unsigned)-exponent), &divisor))
      return decimal_make(0, false, scale, quotient);
    exponent = 0;
  }
  if (!natural_scale_divide(dividend, (unsigned)exponent, divisor, rounds, &result)) return false;
  return decimal_make(result, negative && result, scale, quotient);
}

bool decimal_divide(Decimal a, Decimal b, unsigned scale, Decimal *quotient) {
  return quotient_at(a, b, scale, true, quotient);
}

bool decimal_divide_cut(Decimal a, Decimal b, unsigned scale, Decimal *quotient) {
  return quotient_at(a, b, scale, false, quotient);
}

bool decimal_remainder(Decimal a, Decimal b, Decimal *remainder) {
  unsigned scale = a.scale > b.scale ? a.scale : b.scale;
  if (!decimal_extend(&a, scale) || !decimal_extend(&b, scale)) return false;
  *remainder = (Decimal){a.coefficient % b.coefficient, scale};
  return true;
}

int decimal_compare(Decimal a, Decimal b) {
  if (a.scale == b.scale) return a.coefficient < b.coefficient ? -1 : a.coefficient > b.coefficient;
  bool negative = a.coefficient < 0;
  if (negative != (b.coefficient < 0)) return negative ? -1 : 1;
  unsigned left = a.scale < b.scale ? b.scale - a.scale : 0,
           right = a.scale > b.scale ? a.scale - b.scale : 0;
  int order = wide_compare(wide_multiply(magnitude(a.coefficient), power(left)),
                           wide_multiply(magnitude(b.coefficient), power(right)));
  return negative ? -order : order;
}

static bool decimal_cut(Decimal a, int scale, bool rounds, Decimal *result) {
  if (scale >= (int)a.scale) {
    *result = a;
    return true;
  }
  int drop = (int)a.scale - scale;
  Natural natural = magnitude(a.coefficient);
  if (drop > DECIMAL_DIGITS) {
    natural = 0;
  } else {
    Natural unit = power((unsigned)drop), rest = natural % unit;
    natural /= unit;
    if (rounds && rest >= unit - rest) natural++;
  }
  unsigned kept = scale > 0 ? (unsigned)scale : 0;
  if (scale < 0 && natural) {
    if (-scale > DECIMAL_DIGITS || __builtin_mul_overflow(natural, power((unsigned)-scale), &natural))
      return false;
  }
  return decimal_make(natural, a.coefficient < 0 && natural, kept, result);
}

bool decimal_round(Decimal a, int scale, Decimal *rounded) {
  if (scale > (int)a.scale) {
    *rounded = a;
    if (scale > DECIMAL_DIGITS || !decimal_extend(rounded, (unsigned)scale)) return false;
    return decimal_make(magnitude(rounded->coefficient), rounded->coefficient < 0, (unsigned)scale, rounded);
  }
  return decimal_cut(a, scale, true, rounded);
}

bool decimal_truncate(Decimal a, int scale, Decimal *cut) {
  if (scale > (int)a.scale) return decimal_round(a, scale, cut);
  return decimal_cut(a, scale, false, cut);
}

unsigned decimal_digits(Decimal a) {
  Natural natural = magnitude(a.coefficient);
  unsigned count = 1;
  while (count < DECIMAL_DIGITS + 1 && natural >= power(count)) count++;
  return count;
}

bool decimal_to_int(Decimal a, int64_t *integer) {
  Decimal rounded;
  if (!decimal_round(a, 0, &rounded)) return false;
  if (rounded.coefficient < INT64_MIN || rounded.coefficient > INT64_MAX) return false;
  *integer = (int64_t)rounded.coefficient;
  return true;
}
