/* text.c: UTF-8 text and its comparison; see text.h.
 *
 * MySQL's general collations fold to upper case, SQLite's NOCASE to lower. */
#include "semantics/text.h"

#include "src/base/map.h"

/* ---- Characters ------------------------------------------------------------------- */

bool text_is_ascii(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)text[i] >= 0x80) return false;
  return true;
}

size_t text_step(const char *text, size_t left) {
  unsigned char first = (unsigned char)*text;
  size_t size = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (size > left) return left ? left : 1;
  return size;
}

size_t text_characters(const char *text, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; i++) count += ((unsigned char)text[i] & 0xC0) != 0x80;
  return count;
}

size_t text_offset(const char *text, size_t length, size_t count) {
  size_t offset = 0;
  while (count-- > 0 && offset < length) offset += text_step(text + offset, length - offset);
  return offset;
}

uint32_t text_code(const char *text, size_t left) {
  size_t size = text_step(text, left);
  unsigned char first = (unsigned char)*text;
  if (size == 1) return first;
  uint32_t code = first & (0xFFu >> (size + 1));
  for (size_t i = 1; i < size; i++) code = code << 6 | ((unsigned char)text[i] & 0x3F);
  return code;
}

size_t text_encode(uint32_t code, char out[4]) {
  if (code < 0x80) {
    out[0] = (char)code;
    return 1;
  }
  size_t size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = size; i-- > 1; code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
  out[0] = (char)((0xF00u >> size & 0xFF) | code);
  return size;
}

size_t text_trim_end(const char *text, size_t length) {
  while (length > 0 && text[length - 1] == ' ') length--;
  return length;
}

/* ---- Collations -------------------------------------------------------------------- */

static bool type_has_collation(Type type) { return type_is_text(type) || type.kind == TYPE_DYNAMIC; }

Collating collating_of(const Dialect *dialect, Type a, Type b) {
  Collating collating = {.has_order = !dialect->other_collation};
  bool folds = (type_has_collation(a) ? a.collation : dialect->collation) == COLLATION_CI ||
               (type_has_collation(b) ? b.collation : dialect->collation) == COLLATION_CI;
  bool is_blob = a.kind == TYPE_BLOB || b.kind == TYPE_BLOB;
  if (a.is_binary || b.is_binary || is_blob) folds = false, collating.has_order = true;
  collating.folds = folds;
  if (dialect_is_mysql(dialect)) {
    collating.pads = !is_blob;
    collating.is_partial = folds;
    collating.is_narrow = folds && dialect->name == DIALECT_MYSQL;
  } else {
    collating.folds_down = dialect_is_sqlite(dialect);
    collating.is_partial = folds && !dialect_is_sqlite(dialect);
  }
  return collating;
}

static bool is_plain(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == ' ' || c == '-' ||
         c == '.' || c == '/';
}

/* The byte at `i` as the collation sees it: behind the end there are blanks where it pads, else nothing (-1).
 */
static int weight_at(Collating collating, const char *text, size_t length, size_t i) {
  if (i >= length) return collating.pads ? ' ' : -1;
  if (!collating.folds) return (unsigned char)text[i];
  return (unsigned char)(collating.folds_down ? text_lower(text[i]) : text_upper(text[i]));
}

int text_order(Collating collating, const char *a, size_t a_length, const char *b, size_t b_length) {
  size_t common = a_length < b_length ? a_length : b_length;
  if (!collating.folds) {
    int order = common ? memcmp(a, b, common) : 0;
    if (order) return order < 0 ? -1 : 1;
    if (!collating.pads) return a_length < b_length ? -1 : a_length > b_length;
  }
  size_t most = a_length > b_length ? a_length : b_length;
  for (size_t i = 0; i < most; i++) {
    int left = weight_at(collating, a, a_length, i), right = weight_at(collating, b, b_length, i);
    if (left != right && i >= common && collating.folds_down) break;
    if (left != right) return left < right ? -1 : 1;
    if (left == 0 && collating.folds_down)
      break; /* SQLite's NOCASE reads up to a NUL, then compares lengths */
  }
  if (!collating.folds_down) return 0;
  return a_length < b_length ? -1 : a_length > b_length;
}

TextOrder text_compare(Collating collating, const char *a, size_t a_length, const char *b, size_t b_length) {
  TextOrder result = {text_order(collating, a, a_length, b, b_length), true, collating.has_order};
  if (result.order == 0 || !collating.is_partial) return result;
  /* The first difference decides, if neither it nor what surrounds it is beyond ASCII. */
  size_t most = a_length > b_length ? a_length : b_length;
  for (size_t i = 0; i < most; i++) {
    int left = weight_at(collating, a, a_length, i), right = weight_at(collating, b, b_length, i);
    if (left == right) continue;
    int after_left = weight_at(collating, a, a_length, i + 1),
        after_right = weight_at(collating, b, b_length, i + 1);
    result.is_sure = left < 0x80 && right < 0x80 && after_left < 0x80 && after_right < 0x80;
    if (collating.is_narrow && !(is_plain((unsigned char)left) && is_plain((unsigned char)right)))
      result.has_order = false;
    break;
  }
  result.has_order = result.has_order && result.is_sure;
  return result;
}

uint64_t text_hash(Collating collating, const char *text, size_t length) {
  if (collating.pads) length = text_trim_end(text, length);
  if (!collating.folds) return hash_bytes(text, length);
  char folded[64];
  uint64_t hash = length;
  for (size_t start = 0; start < length; start += sizeof folded) {
    size_t count = length - start < sizeof folded ? length - start : sizeof folded;
    for (size_t i = 0; i < count; i++) folded[i] = text_upper(text[start + i]);
    const char *end = collating.folds_down ? memchr(folded, 0, count) : NULL;
    if (end) return hash_mix(hash, hash_bytes(folded, (size_t)(end - folded)));
    hash = hash_mix(hash, hash_bytes(folded, count));
  }
  return hash;
}

bool text_is_orderable(Collating collating, const char *text, size_t length) {
  if (!collating.has_order) return false;
  if (!collating.is_partial) return true;
  for (size_t i = 0; i < length; i++) {
    if ((unsigned char)text[i] >= 0x80) return false;
    if (collating.is_narrow && !is_plain((unsigned char)text[i])) return false;
  }
  return true;
}
