/* fast_token.c: strings eight bytes at a time, numbers digit by digit. */
#include "src/transcript/fast_token.h"

#include <math.h>
#include <stdlib.h>

#define EACH_BYTE 0x0101010101010101ull
#define HIGH_BITS 0x8080808080808080ull

/* ---- Strings -------------------------------------------------------------------- */

/* The first byte from `at` on that is a quote, a backslash, a control character or not ASCII. */
static inline const char *plain_end(const char *at) {
  for (;; at += 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    uint64_t quote = word ^ ('"' * EACH_BYTE), escape = word ^ ('\\' * EACH_BYTE);
    uint64_t found = (quote - EACH_BYTE) & ~quote;
    found |= (escape - EACH_BYTE) & ~escape;
    found |= (word - ' ' * EACH_BYTE) & ~word;
    found = (found | word) & HIGH_BITS;
    if (!found) continue;
    /* Borrows may mark a byte above the first one, never below it. */
    return at + (__builtin_ctzll(found) >> 3);
  }
}

/* Bytes of the UTF-8 sequence at `at`, 0 if it is none. */
static unsigned utf8_length(const unsigned char *at) {
#define FOLLOWS(i) ((at[i] & 0xC0) == 0x80)
  if (at[0] >= 0xC2 && at[0] <= 0xDF) return FOLLOWS(1) ? 2 : 0;
  if ((at[0] & 0xF0) == 0xE0) {
    if (!FOLLOWS(1) || !FOLLOWS(2)) return 0;
    bool is_overlong = at[0] == 0xE0 && at[1] < 0xA0, is_surrogate = at[0] == 0xED && at[1] > 0x9F;
    return is_overlong || is_surrogate ? 0 : 3;
  }
  if (at[0] >= 0xF0 && at[0] <= 0xF4) {
    if (!FOLLOWS(1) || !FOLLOWS(2) || !FOLLOWS(3)) return 0;
    bool is_overlong = at[0] == 0xF0 && at[1] < 0x90, is_beyond = at[0] == 0xF4 && at[1] > 0x8F;
    return is_overlong || is_beyond ? 0 : 4;
  }
  return 0;
#undef FOLLOWS
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* Four hexadecimal digits, or -1. */
static int32_t hex_unit(const char *at) {
  int32_t unit = 0;
  for (int i = 0; i < 4; i++) {
    int digit = hex_digit(at[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

static char *utf8_put(char *to, uint32_t code) {
  if (code < 0x80) {
    *to++ = (char)code;
  } else if (code < 0x800) {
    *to++ = (char)(0xC0 | code >> 6);
    *to++ = (char)(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *to++ = (char)(0xE0 | code >> 12);
    *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    *to++ = (char)(0x80 | (code & 0x3F));
  } else {
    *to++ = (char)(0xF0 | code >> 18);
    *to++ = (char)(0x80 | (code >> 12 & 0x3F));
    *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    *to++ = (char)(0x80 | (code & 0x3F));
  }
  return to;
}

/* \uXXXX, or two of them for a character beyond 16 bits; *at is behind the u. */
static bool escape_unicode(const char **at, char **to) {
  int32_t unit = hex_unit(*at);
  if (unit <= 0) return false;
  *at += 4;
  if (unit >= 0xDC00 && unit <= 0xDFFF) return false;
  if (unit >= 0xD800 && unit <= 0xDBFF) {
    if ((*at)[0] != '\\' || (*at)[1] != 'u') return false;
    int32_t low = hex_unit(*at + 2);
    if (low < 0xDC00 || low > 0xDFFF) return false;
    *at += 6;
    unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
  }
  *to = utf8_put(*to, (uint32_t)unit);
  return true;
}

/* The escape behind the backslash before *at. */
static bool escape_decode(const char **at, char **to) {
  char c = *(*at)++;
  switch (c) {
  case '"':
  case '\\':
  case '/': break;
  case 'b': c = '\b'; break;
  case 'f': c = '\f'; break;
  case 'n': c = '\n'; break;
  case 'r': c = '\r'; break;
  case 't': c = '\t'; break;
  case 'u': return escape_unicode(at, to);
  default: return false;
  }
  *(*to)++ = c;
  return true;
}

/* A string from its first escape on: decoding never makes it longer. */
static bool string_decode(FastToken *token, Arena *arena, const char *begin, const char *escape,
                          const char **text, uint32_t *length) {
  const char *stop = escape;
  while (stop < token->end && *stop != '"') stop += *stop == '\\' ? 2 : 1;
  if (stop >= token->end) return false;
  char *decoded = arena_alloc(arena, (size_t)(stop - begin) + 1), *to = decoded;
  for (const char *at = begin, *next; at < stop; at = next) {
    next = plain_end(at);
    memcpy(to, at, (size_t)(next - at));
    to += next - at;
    if (next == stop) break;
    if (*next == '\\') {
      next++;
      if (!escape_decode(&next, &to)) return false;
      continue;
    }
    unsigned bytes = utf8_length((const unsigned char *)next);
    if (!bytes) return false;
    memcpy(to, next, bytes);
    to += bytes;
    next += bytes;
  }
  *to = 0;
  *text = decoded;
  *length = (uint32_t)(to - decoded);
  token->at = stop + 1;
  return true;
}

bool token_string(FastToken *token, Arena *arena, const char **text, uint32_t *length) {
  if (*token->at != '"') return false;
  const char *begin = token->at + 1;
  for (const char *at = begin;;) {
    at = plain_end(at);
    if (*at == '"') {
      *text = begin;
      *length = (uint32_t)(at - begin);
      token->at = at + 1;
      return true;
    }
    if (*at == '\\') return string_decode(token, arena, begin, at, text, length);
    unsigned bytes = utf8_length((const unsigned char *)at);
    if (!bytes) return false;
    at += bytes;
  }
}

bool token_plain(FastToken *token, FastKey *key) {
  if (*token->at != '"') return false;
  const char *begin = token->at + 1, *at = plain_end(begin);
  if (*at != '"') return false;
  *key = (FastKey){begin, (uint32_t)(at - begin)};
  token->at = at + 1;
  return true;
}

bool token_key(FastToken *token, FastKey *key) {
  if (token_plain(token, key) && token_colon(token)) return true;
  token->failed = true;
  return false;
}

/* ---- Numbers ---------------------------------------------------------------------- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A number must end before something that JSON allows behind it. */
static bool number_ends(char c) {
  return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == '\r' || c == 0;
}

bool token_integer(FastToken *token, int64_t *integer) {
  const char *at = token->at;
  bool is_negative = *at == '-';
  at += is_negative;
  const char *digits = at;
  uint64_t magnitude = 0;
  for (; is_digit(*at); at++) magnitude = magnitude * 10 + (uint64_t)(*at - '0');
  if (at == digits || at - digits > 18 || !number_ends(*at)) return false;
  if (*digits == '0' && (at - digits > 1 || is_negative)) return false;
  *integer = is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
  token->at = at;
  return true;
}

/* [-] digits [. digits] [e [+-] digits] with a point or an exponent. */
static bool token_real(FastToken *token, double *real) {
  const char *at = token->at;
  at += *at == '-';
  const char *digits = at;
  while (is_digit(*at)) at++;
  if (at == digits || (*digits == '0' && at - digits > 1)) return false;
  bool has_point = *at == '.';
  if (has_point) {
    const char *fraction = ++at;
    while (is_digit(*at)) at++;
    if (at == fraction) return false;
  }
  bool has_exponent = *at == 'e' || *at == 'E';
  if (has_exponent) {
    at++;
    at += *at == '+' || *at == '-';
    const char *exponent = at;
    while (is_digit(*at)) at++;
    if (at == exponent) return false;
  }
  if (!(has_point || has_exponent) || !number_ends(*at)) return false;
  *real = strtod(token->at, NULL);
  token->at = at;
  return isfinite(*real);
}

bool token_number(FastToken *token, Value *value, bool *is_real) {
  int64_t integer;
  *is_real = false;
  if (token_integer(token, &integer)) {
    *value = value_int(integer);
    return true;
  }
  double real;
  *is_real = true;
  if (!token_real(token, &real)) return false;
  *value = value_double(real);
  return true;
}
