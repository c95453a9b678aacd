/* text.h: UTF-8 text: characters, folding, comparison under a collation.
 *
 * Collations modelled: bytes; ASCII letters folded (SQLite's NOCASE); and MySQL's ci, which
 * folds and ignores trailing blanks.  What a ci collation makes of other characters
 * is not modelled: answers that depend on it are marked as not sure. */
#ifndef ALIBI_SEMANTICS_TEXT_H
#define ALIBI_SEMANTICS_TEXT_H

#include "src/base/value.h"
#include "src/sql/type.h"

typedef struct Collating {
  bool folds;       /* ASCII letters without case */
  bool folds_down;  /* to lower case, which decides where '_' stands among letters */
  bool pads;        /* trailing blanks do not count */
  bool is_partial;  /* non-ASCII characters are not modelled */
  bool has_order;   /* less and greater are modelled too */
  bool is_narrow;   /* punctuation has an order of its own (MySQL 8) */
} Collating;

/* What comparing operands of these types uses. */
Collating collating_of(const Dialect *dialect, Type a, Type b);

typedef struct TextOrder {
  int order;       /* -1, 0, 1 */
  bool is_sure;    /* whether they are equal */
  bool has_order;  /* and which one is less */
} TextOrder;

TextOrder text_compare(Collating collating, const char *a, size_t a_length, const char *b, size_t b_length);
/* A total order that agrees with equality under the collation, for indexes and sorting. */
int text_order(Collating collating, const char *a, size_t a_length, const char *b, size_t b_length);
uint64_t text_hash(Collating collating, const char *text, size_t length);
/* Is text_order the database's order too, against any other such text? */
bool text_is_orderable(Collating collating, const char *text, size_t length);

bool text_is_ascii(const char *text, size_t length);
size_t text_characters(const char *text, size_t length);
/* Bytes of the first `count` characters. */
size_t text_offset(const char *text, size_t length, size_t count);
/* Bytes of the character that starts here (1 for a stray byte). */
size_t text_step(const char *text, size_t left);
uint32_t text_code(const char *text, size_t left);     /* its code point */
size_t text_encode(uint32_t code, char out[4]);        /* as UTF-8 */
size_t text_trim_end(const char *text, size_t length); /* length without trailing blanks */

static inline char text_upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }
static inline char text_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

#endif
