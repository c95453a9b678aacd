/* number.h: numbers out of text and back, as each database does it.
 *
 * Texts are not NUL-terminated.  A prefix parse stops at the first character that is not part
 * of a number; "whole" means that only blanks follow. */
#ifndef ALIBI_SEMANTICS_NUMBER_H
#define ALIBI_SEMANTICS_NUMBER_H

#include "src/base/decimal.h"

enum { REAL_TEXT = 64 };

/* [blanks][sign]digits[.digits][e[sign]digits]: what a text begins with. */
typedef struct NumberText {
  const char *start; /* at the sign or the first digit */
  size_t length;     /* of the number; 0: none */
  bool is_whole;     /* nothing but blanks behind it */
  bool is_integer;   /* neither point nor exponent */
} NumberText;

NumberText number_scan(const char *text, size_t length);
/* The nearest double; beyond the range: infinity. */
double number_real(NumberText number);
/* False: beyond 38 digits. */
bool number_decimal(NumberText number, Decimal *decimal);

static inline bool value_is_integer(Value value) { return value.kind == VALUE_INT || value.kind == VALUE_BOOL; }
/* BOOL, INT, UINT, DECIMAL, WIDE. */
static inline bool value_is_exact(Value value) {
  return value.kind >= VALUE_BOOL && value.kind <= VALUE_WIDE;
}
static inline bool value_is_number(Value value) {
  return value.kind >= VALUE_BOOL && value.kind <= VALUE_DOUBLE;
}
/* A number's nearest double. */
double number_to_double(Value value);
/* An integral decimal of at most 64 bits as INT or UINT; others stay. */
Value number_narrow(Decimal decimal, Arena *arena);

/* MySQL computes quotients with more digits than it shows: such a decimal has the number of shown
 * digits, plus one, in its flags.  Operators go on with all digits; results and comparisons are rounded.
 * Whether a subquery hands out all digits depends on how it is executed: a decimal that lost some when it was
 * rounded is marked, and computing with it is not modelled; one that lost only zeros is marked too, for these show in
 * texts that are stored. */
enum { DECIMAL_LOSSY = 0x8000, DECIMAL_CUT = 0x4000 /* zeros */, DECIMAL_DIGITS_SHOWN = 0x3FFF };
static inline unsigned decimal_shown(Value value) {
  unsigned shown = value.flags & DECIMAL_DIGITS_SHOWN;
  return value_is_decimal(value) ? shown ? shown - 1 : value.scale : 0;
}
static inline bool decimal_is_hidden(Value value) {
  return value.flags & DECIMAL_DIGITS_SHOWN && value_is_decimal(value);
}
static inline bool decimal_is_lossy(Value value) { return value.flags & DECIMAL_LOSSY && value_is_decimal(value); }
Value decimal_show(Arena *arena, Value value);

/* MySQL prints ROUND(x, 2) of a double with two decimals, and what is computed from it: its text is not modelled. */
enum { REAL_FIXED = 2 };
/* Where a number is wanted, MySQL's GREATEST of texts compares them as numbers, and MariaDB rounds what comes from
 * CAST(... AS CHAR): such a text is marked, and its use as a number is not modelled. */
enum { TEXT_NO_NUMBER = 1 };
/* The NULL that CAST(... AS DATE) makes of what is no date: in a comparison MariaDB sees a zero date there. */
enum { NULL_NO_DATE = 1 };

/* The fewest digits that read back as the same double (or single); exponent is the power of ten of
 * the first digit; returns the number of digits. */
int real_digits(double real, bool is_single, char digits[24], int *exponent);
size_t real_text_postgres(double real, bool is_single, char buffer[REAL_TEXT]);
size_t real_text_mysql(double real, bool is_single, char buffer[REAL_TEXT]);
/* At `digits` significant digits (15 for doubles and 6 for singles in PostgreSQL), or exactly as its
 * shortest text (0): false beyond 38 digits. */
bool real_to_decimal(double real, bool is_single, int digits, Decimal *decimal);

/* ---- SQLite 3.40: its own scanner and printer, bit by bit ---------------------- */

/* What arithmetic makes of a text: INT or DOUBLE. */
Value sqlite_number(const char *text, size_t length);
/* What NUMERIC affinity makes of it: false if the whole text is not a number. */
bool sqlite_whole_number(const char *text, size_t length, Value *number);
double sqlite_real(const char *text, size_t length);    /* sqlite3AtoF's value of the prefix */
int64_t sqlite_integer(const char *text, size_t length); /* digits of the prefix, saturated */
int64_t sqlite_truncate(double real);                    /* toward zero, saturated */
/* INTEGER affinity of a real: INT if that is exact. */
Value sqlite_integral(double real);
size_t sqlite_real_text(double real, char buffer[REAL_TEXT]); /* %!.15g */
double sqlite_round(double real, int places);

#endif
