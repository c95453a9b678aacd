/* number_sqlite.c: SQLite 3.40's own conversions between text and reals.
 *
 * SQLite neither reads nor prints reals with the C library: it works in extended precision and
 * cuts digits one by one.  Where the last digit differs from a correctly rounded one,
 * comparisons differ too, so its steps are followed here. */
#include "semantics/number.h"

#include <math.h>

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* What the scanner saw, besides the value. */
typedef struct SqliteScan {
  double real;
  bool has_digits;
  bool is_whole;
  bool has_point;
  bool has_exponent; /* an 'e', with digits or not */
  bool is_valid;     /* the exponent, if any, has digits */
} SqliteScan;

static long double ten_to(int exponent) {
  long double result = 1.0L, base = 10.0L;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result *= base;
    base *= base;
  }
  return result;
}

static double scale_significand(int64_t significand, int exponent) {
  bool below = exponent < 0;
  int steps = below ? -exponent : exponent;
  if (significand == 0) return 0;
  while (steps > 0) {
    if (below ? significand % 10 != 0 : significand >= INT64_MAX / 10) break;
    significand = below ? significand / 10 : significand * 10;
    steps--;
  }
  if (steps == 0) return (double)significand;
  if (steps <= 307)
    return below ? (double)(significand / ten_to(steps)) : (double)(significand * ten_to(steps));
  if (steps >= 342) return below ? 0.0 : INFINITY;
  long double rest = ten_to(steps - 308);
  double part = below ? (double)(significand / rest) : (double)(significand * rest);
  return below ? part / 1e308 : part * 1e308;
}

static SqliteScan sqlite_scan(const char *text, size_t length) {
  enum { EXPONENT_LIMIT = 10000 };
  SqliteScan scan = {.is_valid = true};
  const char *at = text, *end = text + length;
  const int64_t brim = (INT64_MAX - 9) / 10;
  bool negative = false;
  int64_t significand = 0;
  int exponent = 0, written = 0;
  while (at < end && is_blank(*at)) at++;
  if (at < end && (*at == '-' || *at == '+')) negative = *at++ == '-';
  for (; at < end && is_digit(*at); at++) {
    scan.has_digits = true;
    if (significand >= brim)
      exponent++;
    else
      significand = significand * 10 + (*at - '0');
  }
  if (at < end && *at == '.') {
    scan.has_point = true;
    for (at++; at < end && is_digit(*at); at++) {
      scan.has_digits = true;
      if (significand >= brim) continue;
      significand = significand * 10 + (*at - '0');
      exponent--;
    }
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    bool below = false;
    scan.has_exponent = true;
    scan.is_valid = false;
    at++;
    if (at < end && (*at == '-' || *at == '+')) below = *at++ == '-';
    for (; at < end && is_digit(*at); at++) {
      written = written < EXPONENT_LIMIT ? written * 10 + (*at - '0') : EXPONENT_LIMIT;
      scan.is_valid = true;
    }
    exponent += below ? -written : written;
  }
  while (at < end && is_blank(*at)) at++;
  scan.is_whole = at == end && scan.has_digits && scan.is_valid;
  double real = scale_significand(significand, exponent);
  scan.real = negative ? -real : real;
  return scan;
}

typedef enum IntegerText { INTEGER_NONE, INTEGER_WHOLE, INTEGER_PREFIX, INTEGER_TOO_LARGE } IntegerText;

static IntegerText integer_scan(const char *text, size_t length, int64_t *integer) {
  const char *at = text, *end = text + length;
  bool negative = false, too_large = false;
  uint64_t natural = 0;
  while (at < end && is_blank(*at)) at++;
  if (at < end && (*at == '-' || *at == '+')) negative = *at++ == '-';
  const char *first = at;
  for (; at < end && is_digit(*at); at++)
    if (__builtin_mul_overflow(natural, (uint64_t)10, &natural) ||
        __builtin_add_overflow(natural, (uint64_t)(*at - '0'), &natural)) {
      too_large = true;
      natural = UINT64_MAX / 100;
    }
  bool any = at > first;
  while (at < end && is_blank(*at)) at++;
  if (too_large || natural > (uint64_t)INT64_MAX + negative) {
    *integer = negative ? INT64_MIN : INT64_MAX;
    return INTEGER_TOO_LARGE;
  }
  *integer = negative ? (int64_t)(0 - natural) : (int64_t)natural;
  if (!any) return INTEGER_NONE;
  return at == end ? INTEGER_WHOLE : INTEGER_PREFIX;
}

Value sqlite_number(const char *text, size_t length) {
  int64_t integer;
  SqliteScan scan = sqlite_scan(text, length);
  IntegerText kind = integer_scan(text, length, &integer);
  bool looks_real = scan.has_digits && (scan.has_point || scan.has_exponent) &&
                    (scan.is_valid || (scan.has_point && scan.has_exponent));
  if (!looks_real && kind != INTEGER_TOO_LARGE) return value_int(integer);
  return value_double(scan.real);
}

bool sqlite_whole_number(const char *text, size_t length, Value *number) {
  int64_t integer;
  SqliteScan scan = sqlite_scan(text, length);
  if (!scan.is_whole) return false;
  if (!scan.has_point && !scan.has_exponent && integer_scan(text, length, &integer) == INTEGER_WHOLE)
    *number = value_int(integer);
  else
    *number = value_double(scan.real);
  return true;
}

double sqlite_real(const char *text, size_t length) { return sqlite_scan(text, length).real; }

int64_t sqlite_integer(const char *text, size_t length) {
  int64_t integer;
  integer_scan(text, length, &integer);
  return integer;
}

int64_t sqlite_truncate(double real) {
  if (isnan(real)) return 0;
  if (real <= -9223372036854775808.0) return INT64_MIN;
  if (real >= 9223372036854775807.0) return INT64_MAX;
  return (int64_t)real;
}

Value sqlite_integral(double real) {
  int64_t integer = sqlite_truncate(real);
  if ((double)integer == real && integer > INT64_MIN && integer < INT64_MAX) return value_int(integer);
  return value_double(real);
}

/* ---- Printing ------------------------------------------------------------------- */

/* A positive real as d.ddd * 10^exponent, in extended precision. */
static long double normalize(long double real, int *exponent) {
  long double scale = 1.0L;
  *exponent = 0;
  if (real <= 0) return real;
  while (real >= 1e100 * scale && *exponent <= 350) scale *= 1e100, *exponent += 100;
  while (real >= 1e10 * scale && *exponent <= 350) scale *= 1e10, *exponent += 10;
  while (real >= 10.0L * scale && *exponent <= 350) scale *= 10.0L, ++*exponent;
  real /= scale;
  while (real < 1e-8) real *= 1e8, *exponent -= 8;
  while (real < 1.0L) real *= 10.0L, --*exponent;
  return real;
}

static char next_digit(long double *real, int *left) {
  if (*left <= 0) return '0';
  --*left;
  int digit = (int)*real;
  *real = (*real - digit) * 10.0L;
  return (char)('0' + digit);
}

static long double half_unit(int places) {
  static const double halves[10] = {5.0e-01, 5.0e-02, 5.0e-03, 5.0e-04, 5.0e-05,
                                    5.0e-06, 5.0e-07, 5.0e-08, 5.0e-09, 5.0e-10};
  long double half = halves[places % 10];
  for (; places >= 10; places -= 10) half *= 1.0e-10;
  return half;
}

/* Digits with `places` behind the point, of d.ddd * 10^exponent, at most `left` of them
 * true ones; trailing zeros cut to one. */
static char *write_places(char *out, long double real, int exponent, int places, int left) {
  int before = exponent;
  if (before < 0)
    *out++ = '0';
  else
    for (; before >= 0; before--) *out++ = next_digit(&real, &left);
  *out++ = '.';
  for (before++; before < 0; places--, before++) *out++ = '0';
  while (places-- > 0) *out++ = next_digit(&real, &left);
  while (out[-1] == '0') out--;
  if (out[-1] == '.') *out++ = '0';
  return out;
}

size_t sqlite_real_text(double real, char buffer[REAL_TEXT]) {
  char *out = buffer;
  int exponent;
  if (isinf(real)) return strcpy(buffer, real < 0 ? "-Inf" : "Inf"), strlen(buffer);
  if (real < 0) *out++ = '-';
  long double scaled = normalize(fabsl(real), &exponent);
  scaled += half_unit(14);
  if (scaled >= 10.0L) scaled *= 0.1, exponent++;
  if (real == 0) exponent = 0;
  if (exponent >= -4 && exponent <= 14) {
    out = write_places(out, scaled, exponent, 14 - exponent, 26);
  } else {
    out = write_places(out, scaled, 0, 14, 26);
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    if (exponent < 0) exponent = -exponent;
    if (exponent >= 100) *out++ = (char)('0' + exponent / 100);
    *out++ = (char)('0' + exponent / 10 % 10);
    *out++ = (char)('0' + exponent % 10);
  }
  *out = 0;
  return (size_t)(out - buffer);
}

double sqlite_round(double real, int places) {
  if (real < -4503599627370496.0 || real > 4503599627370496.0) return real;
  if (places <= 0) return (double)(int64_t)(real + (real < 0 ? -0.5 : 0.5));
  if (places > 30) places = 30;
  char buffer[64];
  long double size = fabsl(real), half = half_unit(places);
  int binary, exponent;
  if (real == 0) return 0;
  frexp(real, &binary);
  if (places + (binary - 1) / 3 < 15) half += size * 3e-16;
  size = normalize(size + half, &exponent);
  char *end = write_places(buffer, size, exponent, places, 16);
  double rounded = sqlite_real(buffer, (size_t)(end - buffer));
  return real < 0 ? -rounded : rounded;
}
