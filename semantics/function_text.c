/* function_text.c: functions on text.
 *
 * Positions and lengths count characters, but bytes in blobs.  Case and equality of
 * non-ASCII letters depend on the database's locale: not modelled. */
#include "semantics/function_text.h"

#include "semantics/convert.h"
#include "semantics/operate.h"
#include "semantics/text.h"
#include "src/sql/function.h"

#include <stdio.h>

enum { LONGEST_TEXT = 16 << 20, SQLITE_LONGEST = 1000000000 };

/* One call, with its first two arguments as text. */
typedef struct TextCall {
  Eval *eval;
  const Expr *expr;
  const Value *args;
  uint32_t count;
  const char *text, *second;
  size_t length, second_length;
  bool is_blob; /* the first argument */
} TextCall;

static Value text_result(TextCall *call, const char *text, size_t length) {
  return call->is_blob ? value_blob(text, length) : value_text(text, length);
}

/* SQLite's functions read some texts up to a NUL and some beyond it; these read blobs as bytes. */
static bool nul_is_harmless(const TextCall *call, Value value) {
  switch (call->expr->function->id) {
  case FUNCTION_LENGTH:
  case FUNCTION_HEX: return true;
  case FUNCTION_SUBSTR:
  case FUNCTION_QUOTE:
  case FUNCTION_INSTR: return value.kind == VALUE_BLOB;
  default: return false;
  }
}

static bool call_text(TextCall *call, uint32_t index, const char **text, size_t *length) {
  Value value = call->args[index];
  if (!convert_text(call->eval, value, call->expr->args[index]->type, text, length)) return false;
  if (!dialect_is_sqlite(call->eval->dialect) || !*length || !memchr(*text, 0, *length)) return true;
  if (nul_is_harmless(call, value)) return true;
  eval_unmodelled(call->eval, "%s of a text with a NUL", call->expr->function->name);
  return false;
}

static bool call_integer(TextCall *call, uint32_t index, int64_t *integer) {
  return convert_integer(call->eval, call->args[index], integer);
}

static char *call_room(TextCall *call, size_t length) {
  if (length <= LONGEST_TEXT) return arena_alloc(call->eval->arena, length + 1);
  eval_unmodelled(call->eval, "%s of more than %d bytes", call->expr->function->name, LONGEST_TEXT);
  return NULL;
}

static size_t call_characters(const TextCall *call) {
  return call->is_blob ? call->length : text_characters(call->text, call->length);
}

static size_t call_offset(const TextCall *call, size_t characters) {
  return call->is_blob ? (characters < call->length ? characters : call->length)
                       : text_offset(call->text, call->length, characters);
}

static Value call_slice(TextCall *call, int64_t first, int64_t count) {
  int64_t total = (int64_t)call_characters(call);
  if (first < 0) count += first, first = 0;
  if (first >= total || count <= 0) return text_result(call, call->text, 0);
  if (count > total - first) count = total - first;
  size_t from = call_offset(call, (size_t)first), to = call_offset(call, (size_t)(first + count));
  return text_result(call, call->text + from, to - from);
}

/* ---- Lengths ----------------------------------------------------------------------- */

/* Bytes, with the padding of PostgreSQL's CHAR(n). */
static size_t call_octets(const TextCall *call) {
  return call->args[0].kind == VALUE_TEXT ? call->args[0].length : call->length;
}

static Value call_length(TextCall *call) {
  const Dialect *dialect = call->eval->dialect;
  bool is_char = call->expr->args[0]->type.kind == TYPE_CHAR;
  size_t length =
      is_char && dialect_is_postgres(dialect) ? text_trim_end(call->text, call->length) : call->length;
  switch (call->expr->function->id) {
  case FUNCTION_OCTET_LENGTH: return value_int((int64_t)call_octets(call));
  case FUNCTION_BIT_LENGTH: return value_int((int64_t)call_octets(call) * 8);
  case FUNCTION_CHAR_LENGTH:
    return value_int((int64_t)(call->is_blob ? call->length : text_characters(call->text, length)));
  default: break;
  }
  if (dialect_is_mysql(dialect) || call->is_blob) return value_int((int64_t)call->length);
  if (dialect_is_sqlite(dialect)) { /* up to the first NUL */
    const char *nul = memchr(call->text, 0, length);
    if (nul) length = (size_t)(nul - call->text);
  }
  return value_int((int64_t)text_characters(call->text, length));
}

/* ---- Case ---------------------------------------------------------------------------- */

static Value call_case(TextCall *call) {
  FunctionId id = call->expr->function->id;
  if (!dialect_is_sqlite(call->eval->dialect) && !text_is_ascii(call->text, call->length))
    return eval_unmodelled(call->eval, "%s of non-ASCII text", call->expr->function->name);
  char *copy = call_room(call, call->length);
  if (!copy) return NULL_VALUE;
  bool in_word = false;
  for (size_t i = 0; i < call->length; i++) {
    char c = call->text[i];
    bool is_upper = id == FUNCTION_UPPER || (id == FUNCTION_INITCAP && !in_word);
    copy[i] = is_upper ? text_upper(c) : text_lower(c);
    in_word = (c >= '0' && c <= '9') || (text_lower(c) >= 'a' && text_lower(c) <= 'z');
  }
  return value_text(copy, call->length);
}

/* ---- Trimming -------------------------------------------------------------------------- */

static bool set_contains(const char *set, size_t set_length, const char *character, size_t size) {
  for (size_t at = 0; at < set_length;) {
    size_t step = text_step(set + at, set_length - at);
    if (step == size && memcmp(set + at, character, size) == 0) return true;
    at += step;
  }
  return false;
}

/* Bytes to cut at the front: characters of a set, or (mysql) whole repetitions of the string. */
static size_t trim_front(const TextCall *call, const char *cut, size_t cut_length, size_t end) {
  size_t at = 0;
  while (at < end) {
    size_t step = text_step(call->text + at, end - at);
    if (dialect_is_mysql(call->eval->dialect)) {
      if (cut_length == 0 || end - at < cut_length || memcmp(call->text + at, cut, cut_length) != 0) break;
      step = cut_length;
    } else if (!set_contains(cut, cut_length, call->text + at, step)) {
      break;
    }
    at += step;
  }
  return at;
}

static size_t trim_back(const TextCall *call, const char *cut, size_t cut_length, size_t start) {
  size_t end = call->length;
  while (end > start) {
    size_t step = 1;
    if (dialect_is_mysql(call->eval->dialect)) {
      if (cut_length == 0 || end - start < cut_length ||
          memcmp(call->text + end - cut_length, cut, cut_length) != 0)
        break;
      step = cut_length;
    } else {
      while (step < end - start && ((unsigned char)call->text[end - step] & 0xC0) == 0x80) step++;
      if (!set_contains(cut, cut_length, call->text + end - step, step)) break;
    }
    end -= step;
  }
  return end;
}

static Value call_trim(TextCall *call) {
  const char *cut = call->count > 1 ? call->second : " ";
  size_t cut_length = call->count > 1 ? call->second_length : 1;
  FunctionId id = call->expr->function->id;
  if (dialect_is_sqlite(call->eval->dialect)) cut_length = strnlen(cut, cut_length); /* it stops at a NUL */
  size_t start = id == FUNCTION_RTRIM ? 0 : trim_front(call, cut, cut_length, call->length);
  size_t end = id == FUNCTION_LTRIM ? call->length : trim_back(call, cut, cut_length, start);
  return value_text(call->text + start, end - start);
}

/* ---- Parts -------------------------------------------------------------------------------- */

/* As in SQLite: 0 stands before the first character, a negative start counts from the end, a
 * negative length takes what stands before. */
static Value substr_sqlite(TextCall *call, int64_t start, int64_t count, bool has_count) {
  int64_t total = (int64_t)call_characters(call);
  bool backwards = has_count && count < 0;
  int64_t take = has_count ? (backwards ? -count : count) : 1000000000; /* the longest text */
  if (start < 0) {
    start += total;
    if (start < 0) {
      take = take + start < 0 ? 0 : take + start;
      start = 0;
    }
  } else if (start > 0) {
    start--;
  } else if (take > 0) {
    take--;
  }
  if (!backwards) return call_slice(call, start, take);
  start -= take;
  if (start < 0) take += start, start = 0;
  return call_slice(call, start, take);
}

static Value substr_mysql(TextCall *call, int64_t start, int64_t count, bool has_count) {
  int64_t total = (int64_t)call_characters(call);
  if (start == 0 || (has_count && count <= 0) || start > total || -start > total)
    return text_result(call, call->text, 0);
  return call_slice(call, start > 0 ? start - 1 : total + start, has_count ? count : total);
}

static Value call_substr(TextCall *call) {
  if (call->is_blob && call->length == 0 && dialect_is_sqlite(call->eval->dialect)) return NULL_VALUE;
  int64_t start, count = INT32_MAX;
  if (!call_integer(call, 1, &start)) return NULL_VALUE;
  if (call->count > 2 && !call_integer(call, 2, &count)) return NULL_VALUE;
  if (start > INT32_MAX || start < INT32_MIN || count > INT32_MAX || count < INT32_MIN)
    return eval_unmodelled(call->eval, "%s beyond 32 bits", call->expr->function->name);
  if (dialect_is_sqlite(call->eval->dialect)) return substr_sqlite(call, start, count, call->count > 2);
  if (dialect_is_mysql(call->eval->dialect)) return substr_mysql(call, start, count, call->count > 2);
  if (count < 0) {
    if (dialect_is_lenient(call->eval->dialect)) return substr_sqlite(call, start, count, true);
    return eval_error(call->eval, ERROR_ARGUMENT, "negative substring length not allowed");
  }
  return call_slice(call, start - 1, count);
}

static Value call_side(TextCall *call) {
  int64_t count, total = (int64_t)call_characters(call);
  if (!call_integer(call, 1, &count)) return NULL_VALUE;
  if (count < 0) count = dialect_is_mysql(call->eval->dialect) ? 0 : count + total;
  if (count < 0) count = 0;
  if (count > total) count = total;
  return call_slice(call, call->expr->function->id == FUNCTION_LEFT ? 0 : total - count, count);
}

/* ---- Searching ------------------------------------------------------------------------------- */

static bool bytes_equal(const char *a, const char *b, size_t length, bool folds) {
  if (!folds) return length == 0 || memcmp(a, b, length) == 0;
  for (size_t i = 0; i < length; i++)
    if (text_lower(a[i]) != text_lower(b[i])) return false;
  return true;
}

/* Byte offset of the first occurrence at or after `from`, or -1. */
static int64_t text_find(const char *text, size_t length, const char *part, size_t part_length, size_t from,
                         bool folds) {
  for (size_t at = from; at + part_length <= length; at++)
    if (bytes_equal(text + at, part, part_length, folds)) return (int64_t)at;
  return -1;
}

/* Does a search ignore case?  False, with abort set, where a collation that is not modelled decides. */
static bool search_folds(TextCall *call, bool *folds) {
  Type type = call->expr->args[0]->type, other = call->expr->args[1]->type;
  *folds = dialect_is_mysql(call->eval->dialect) && !call->is_blob &&
           collating_of(call->eval->dialect, type, other).folds;
  if (!*folds ||
      (text_is_ascii(call->text, call->length) && text_is_ascii(call->second, call->second_length)))
    return true;
  eval_unmodelled(call->eval, "%s in non-ASCII text", call->expr->function->name);
  return false;
}

static Value position_value(const char *text, int64_t at, bool is_blob) {
  if (at < 0) return value_int(0);
  return value_int((is_blob ? at : (int64_t)text_characters(text, (size_t)at)) + 1);
}

static Value call_instr(TextCall *call) {
  bool folds;
  if (!search_folds(call, &folds)) return NULL_VALUE;
  return position_value(call->text,
                        text_find(call->text, call->length, call->second, call->second_length, 0, folds),
                        call->is_blob);
}

static Value call_locate(TextCall *call) { /* LOCATE(part, text [, from]) */
  bool folds;
  int64_t from = 1;
  if (!search_folds(call, &folds)) return NULL_VALUE;
  if (call->count > 2 && !call_integer(call, 2, &from)) return NULL_VALUE;
  size_t total = text_characters(call->second, call->second_length);
  if (from < 1 || (size_t)from > total + 1) return value_int(0);
  size_t start = text_offset(call->second, call->second_length, (size_t)from - 1);
  return position_value(call->second,
                        text_find(call->second, call->second_length, call->text, call->length, start, folds),
                        false);
}

static Value call_replace(TextCall *call) {
  const char *with;
  size_t with_length, copied = 0, from = 0;
  bool is_sqlite = dialect_is_sqlite(call->eval->dialect);
  if (value_is_null(call->args[0]) || value_is_null(call->args[1])) return NULL_VALUE;
  if (value_is_null(call->args[2]) && call->eval->dialect->name == DIALECT_MYSQL) return NULL_VALUE;
  /* SQLite returns the very value (a blob as text), and does not look at the third argument. */
  bool is_kept = is_sqlite && call->args[0].kind != VALUE_BLOB;
  if (call->second_length == 0) return is_kept ? call->args[0] : value_text(call->text, call->length);
  if (value_is_null(call->args[2]) || !call_text(call, 2, &with, &with_length)) return NULL_VALUE;
  size_t found = 0;
  for (int64_t at = 0;
       (at = text_find(call->text, call->length, call->second, call->second_length, (size_t)at, false)) >= 0;
       found++)
    at += (int64_t)call->second_length;
  char *copy = call_room(call, call->length + found * with_length);
  if (!copy) return NULL_VALUE;
  for (;;) {
    int64_t at = text_find(call->text, call->length, call->second, call->second_length, from, false);
    size_t end = at < 0 ? call->length : (size_t)at;
    memcpy(copy + copied, call->text + from, end - from);
    copied += end - from;
    if (at < 0) return value_text(copy, copied);
    memcpy(copy + copied, with, with_length);
    copied += with_length;
    from = end + call->second_length;
  }
}

static Value call_starts_with(TextCall *call) {
  bool starts = call->length >= call->second_length &&
                bytes_equal(call->text, call->second, call->second_length, false);
  return value_bool(starts);
}

/* ---- Building ---------------------------------------------------------------------------------- */

static Value call_concat(TextCall *call, uint32_t first, const char *separator, size_t separator_length) {
  bool null_wins = dialect_is_mysql(call->eval->dialect) && first == 0;
  size_t length = 0;
  ARRAY(Value) parts = {0};
  for (uint32_t i = first; i < call->count; i++) {
    if (call->args[i].kind == VALUE_NULL && null_wins) return NULL_VALUE;
    if (call->args[i].kind == VALUE_NULL) continue;
    const char *text;
    size_t size;
    if (!call_text(call, i, &text, &size)) return NULL_VALUE;
    bool is_padded = call->args[i].kind == VALUE_TEXT && call->expr->args[i]->type.kind == TYPE_CHAR;
    if (is_padded) text = call->args[i].text, size = call->args[i].length; /* CHAR(n) with its padding */
    if (call->args[i].kind == VALUE_BOOL)
      text = call->args[i].integer ? "t" : "f", size = 1; /* unlike a cast */
    ARENA_PUSH(call->eval->arena, &parts, value_text(text, size));
    length += size + separator_length;
  }
  char *joined = call_room(call, length), *at = joined;
  if (!joined) return NULL_VALUE;
  for (uint32_t i = 0; i < parts.count; i++) {
    if (i && separator_length) memcpy(at, separator, separator_length), at += separator_length;
    if (parts.items[i].length) memcpy(at, parts.items[i].text, parts.items[i].length);
    at += parts.items[i].length;
  }
  return value_text(joined, (size_t)(at - joined));
}

static Value call_concat_ws(TextCall *call) {
  const char *separator;
  size_t length;
  if (call->args[0].kind == VALUE_NULL || !call_text(call, 0, &separator, &length)) return NULL_VALUE;
  return call_concat(call, 1, separator, length);
}

static Value call_repeat(TextCall *call) {
  int64_t times;
  if (!call_integer(call, call->count - 1, &times)) return NULL_VALUE;
  const char *unit = call->expr->function->id == FUNCTION_SPACE ? " " : call->text;
  size_t length = call->expr->function->id == FUNCTION_SPACE ? 1 : call->length;
  if (times <= 0 || length == 0) return value_text("", 0);
  if ((uint64_t)times > LONGEST_TEXT) times = LONGEST_TEXT;
  char *copy = call_room(call, length * (size_t)times);
  if (!copy) return NULL_VALUE;
  for (int64_t i = 0; i < times; i++) memcpy(copy + (size_t)i * length, unit, length);
  return value_text(copy, length * (size_t)times);
}

static Value call_reverse(TextCall *call) {
  char *copy = call_room(call, call->length);
  if (!copy) return NULL_VALUE;
  for (size_t at = 0; at < call->length;) {
    size_t step = text_step(call->text + at, call->length - at);
    memcpy(copy + call->length - at - step, call->text + at, step);
    at += step;
  }
  return value_text(copy, call->length);
}

static Value call_pad(TextCall *call) {
  const char *fill = " ";
  size_t fill_length = 1, total = call_characters(call);
  int64_t width;
  if (!call_integer(call, 1, &width)) return NULL_VALUE;
  if (call->count > 2 && !call_text(call, 2, &fill, &fill_length)) return NULL_VALUE;
  if (width < 0 && dialect_is_mysql(call->eval->dialect)) return NULL_VALUE;
  if (width <= (int64_t)total) return call_slice(call, 0, width < 0 ? 0 : width);
  if (fill_length == 0 && dialect_is_mysql(call->eval->dialect))
    return eval_unmodelled(call->eval, "padding with nothing");
  if (fill_length == 0) return value_text(call->text, call->length);
  if (width > LONGEST_TEXT) width = LONGEST_TEXT + 1;
  char *copy = call_room(call, call->length + ((size_t)width - total) * 4);
  if (!copy) return NULL_VALUE;
  bool is_left = call->expr->function->id == FUNCTION_LPAD;
  size_t size = 0, from = 0;
  if (!is_left) memcpy(copy, call->text, call->length), size = call->length;
  for (size_t i = total; i < (size_t)width; i++) {
    size_t step = text_step(fill + from, fill_length - from);
    memcpy(copy + size, fill + from, step);
    size += step;
    from = from + step < fill_length ? from + step : 0;
  }
  if (is_left) memcpy(copy + size, call->text, call->length), size += call->length;
  return value_text(copy, size);
}

/* ---- Codes ------------------------------------------------------------------------------------ */

static Value call_code(TextCall *call) { /* ASCII, UNICODE */
  bool is_unicode = call->expr->function->id == FUNCTION_UNICODE;
  if (call->length == 0 || (is_unicode && !*call->text)) return is_unicode ? NULL_VALUE : value_int(0);
  if (dialect_is_mysql(call->eval->dialect)) return value_int((unsigned char)call->text[0]);
  return value_int(text_code(call->text, call->length));
}

static Value call_characters_of(TextCall *call) { /* CHR(n), CHAR(n, ...) */
  bool is_chr = call->expr->function->id == FUNCTION_CHR;
  char *copy = call_room(call, call->count * 4), *at = copy;
  for (uint32_t i = 0; i < call->count; i++) {
    int64_t code = 0;
    if (call->args[i].kind != VALUE_NULL && !call_integer(call, i, &code)) return NULL_VALUE;
    bool is_valid = code > 0 && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    if (is_chr && !is_valid && !dialect_is_lenient(call->eval->dialect))
      return eval_error(call->eval, ERROR_ARGUMENT, "no such character");
    if (code == 0) return eval_unmodelled(call->eval, "a NUL character in text is not modelled");
    if (code < 0 || code > 0x10FFFF) code = 0xFFFD;
    at += text_encode((uint32_t)code, at);
  }
  return value_text(copy, (size_t)(at - copy));
}

static Value hex_text(TextCall *call, const char *bytes, size_t length) {
  char *copy = call_room(call, 2 * length);
  if (!copy) return NULL_VALUE;
  for (size_t i = 0; i < length; i++) {
    copy[2 * i] = "0123456789ABCDEF"[(unsigned char)bytes[i] >> 4];
    copy[2 * i + 1] = "0123456789ABCDEF"[(unsigned char)bytes[i] & 15];
  }
  return value_text(copy, 2 * length);
}

static Value call_hex(TextCall *call) {
  Value value = call->args[0];
  bool is_mysql = dialect_is_mysql(call->eval->dialect);
  if (value.kind == VALUE_NULL) return is_mysql ? NULL_VALUE : value_text("", 0);
  const char *text;
  size_t length;
  if (!is_mysql || !value_is_number(value))
    return call_text(call, 0, &text, &length) ? hex_text(call, text, length) : NULL_VALUE;
  uint64_t bits;
  if (!mysql_bits(call->eval, value, &bits)) return NULL_VALUE;
  char *digits = call_room(call, 16);
  return value_text(digits, (size_t)sprintf(digits, "%llX", (unsigned long long)bits));
}

static int hex_digit(char c) {
  const char *digits = "0123456789abcdef", *found = c ? strchr(digits, text_lower(c)) : NULL;
  return found ? (int)(found - digits) : -1;
}

static Value call_unhex(TextCall *call) {
  size_t length = (call->length + 1) / 2, odd = call->length & 1;
  char *bytes = call_room(call, length);
  if (!bytes) return NULL_VALUE;
  memset(bytes, 0, length + 1);
  for (size_t i = 0; i < call->length; i++) {
    int digit = hex_digit(call->text[i]);
    if (digit < 0) return NULL_VALUE;
    size_t place = i + odd;
    bytes[place / 2] = (char)(bytes[place / 2] | digit << (place & 1 ? 0 : 4));
  }
  return value_blob(bytes, length);
}

static Value call_quote(TextCall *call) {
  Value value = call->args[0];
  if (value.kind == VALUE_NULL) return value_string("NULL");
  bool is_mysql = dialect_is_mysql(call->eval->dialect);
  if (value.kind == VALUE_BLOB && !is_mysql) {
    Value digits = hex_text(call, value.text, value.length);
    char *copy = call_room(call, digits.length + 3);
    return value_text(copy, (size_t)sprintf(copy, "X'%.*s'", (int)digits.length, digits.text));
  }
  const char *text;
  size_t length;
  if (!call_text(call, 0, &text, &length)) return NULL_VALUE;
  if (!is_mysql && value.kind == VALUE_DOUBLE && sqlite_real(text, length) != value.real)
    return eval_unmodelled(call->eval, "QUOTE of a double with more than 15 digits");
  if (!is_mysql && value.kind != VALUE_TEXT) return value_text(text, length);
  char *copy = call_room(call, 2 * length + 2), *at = copy;
  if (!copy) return NULL_VALUE;
  *at++ = '\'';
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\'' || (is_mysql && text[i] == '\\')) *at++ = is_mysql ? '\\' : '\'';
    *at++ = text[i];
  }
  *at++ = '\'';
  return value_text(copy, (size_t)(at - copy));
}

static Value call_typeof(TextCall *call) {
  switch (call->args[0].kind) {
  case VALUE_NULL: return value_string("null");
  case VALUE_BOOL:
  case VALUE_INT: return value_string("integer");
  case VALUE_DOUBLE: return value_string("real");
  case VALUE_TEXT: return value_string("text");
  case VALUE_BLOB: return value_string("blob");
  default: return eval_unmodelled(call->eval, "TYPEOF of a %s", value_kind_name(call->args[0].kind));
  }
}

static Value call_zeroblob(TextCall *call) {
  int64_t length = 0;
  if (call->args[0].kind != VALUE_NULL && !call_integer(call, 0, &length)) return NULL_VALUE;
  if (length < 0) length = 0;
  if (length > SQLITE_LONGEST) return eval_error(call->eval, ERROR_TOO_LONG, "string or blob too big");
  char *bytes = call_room(call, (size_t)length);
  return bytes ? value_blob(memset(bytes, 0, (size_t)length + 1), (size_t)length) : NULL_VALUE;
}

/* ---- Lists in text, and other functions of one dialect --------------------------------------------- */

static Value call_split_part(TextCall *call) {
  int64_t wanted, parts = 1;
  if (!call_integer(call, 2, &wanted)) return NULL_VALUE;
  if (wanted == 0) return eval_error(call->eval, ERROR_ARGUMENT, "field position must not be zero");
  if (call->second_length == 0)
    return wanted == 1 || wanted == -1 ? value_text(call->text, call->length) : value_text("", 0);
  for (int64_t at = 0;
       (at = text_find(call->text, call->length, call->second, call->second_length, (size_t)at, false)) >= 0;
       parts++)
    at += (int64_t)call->second_length;
  if (wanted < 0) wanted += parts + 1;
  if (wanted < 1 || wanted > parts) return value_text("", 0);
  size_t from = 0;
  for (;; wanted--) {
    int64_t at = text_find(call->text, call->length, call->second, call->second_length, from, false);
    size_t end = at < 0 ? call->length : (size_t)at;
    if (wanted == 1) return value_text(call->text + from, end - from);
    from = end + call->second_length;
  }
}

static Value call_substring_index(TextCall *call) {
  int64_t wanted, found = 0;
  if (!call_integer(call, 2, &wanted)) return NULL_VALUE;
  if (wanted == 0 || call->second_length == 0) return value_text("", 0);
  size_t total = 0, from = 0;
  for (int64_t at = 0;
       (at = text_find(call->text, call->length, call->second, call->second_length, (size_t)at, false)) >= 0;
       total++)
    at += (int64_t)call->second_length;
  bool from_end = wanted < 0;
  if (from_end) wanted += (int64_t)total + 1;
  if (from_end ? wanted <= 0 : wanted > (int64_t)total) return value_text(call->text, call->length);
  for (;;) {
    int64_t at = text_find(call->text, call->length, call->second, call->second_length, from, false);
    if (++found == wanted) {
      if (!from_end) return value_text(call->text, (size_t)at);
      size_t start = (size_t)at + call->second_length;
      return value_text(call->text + start, call->length - start);
    }
    from = (size_t)at + call->second_length;
  }
}

static Value call_find_in_set(TextCall *call) { /* FIND_IN_SET(item, list) */
  bool folds;
  if (!search_folds(call, &folds)) return NULL_VALUE;
  if (call->second_length == 0) return value_int(0);
  size_t from = 0;
  for (int64_t number = 1;; number++) {
    int64_t comma = text_find(call->second, call->second_length, ",", 1, from, false);
    size_t end = comma < 0 ? call->second_length : (size_t)comma;
    if (end - from == call->length && bytes_equal(call->second + from, call->text, call->length, folds))
      return value_int(number);
    if (comma < 0) return value_int(0);
    from = end + 1;
  }
}

static Value call_translate(TextCall *call) {
  const char *to;
  size_t to_length, size = 0;
  if (!call_text(call, 2, &to, &to_length)) return NULL_VALUE;
  char *copy = call_room(call, call->length * 4);
  if (!copy) return NULL_VALUE;
  size_t targets = text_characters(to, to_length);
  for (size_t at = 0, step; at < call->length; at += step) {
    step = text_step(call->text + at, call->length - at);
    size_t index = 0, place = 0;
    bool found = false;
    for (size_t one; place < call->second_length && !found; place += one, index += !found) {
      one = text_step(call->second + place, call->second_length - place);
      found = one == step && memcmp(call->second + place, call->text + at, step) == 0;
    }
    const char *from = call->text + at;
    size_t length = step;
    if (found && index >= targets) continue;
    if (found) {
      from = to + text_offset(to, to_length, index);
      length = text_step(from, (size_t)(to + to_length - from));
    }
    memcpy(copy + size, from, length);
    size += length;
  }
  return value_text(copy, size);
}

static Value call_strcmp(TextCall *call) {
  int order = operate_compare(call->eval, call->args[0], call->expr->args[0]->type, call->args[1],
                              call->expr->args[1]->type);
  return value_int(order);
}

static Value call_elt(TextCall *call) {
  int64_t wanted;
  if (call->args[0].kind == VALUE_NULL || !call_integer(call, 0, &wanted)) return NULL_VALUE;
  if (wanted < 1 || wanted >= (int64_t)call->count || call->args[wanted].kind == VALUE_NULL)
    return NULL_VALUE;
  const char *text;
  size_t length;
  return call_text(call, (uint32_t)wanted, &text, &length) ? value_text(text, length) : NULL_VALUE;
}

static Value call_field(TextCall *call) {
  if (call->args[0].kind == VALUE_NULL) return value_int(0);
  for (uint32_t i = 1; i < call->count; i++) {
    if (call->args[i].kind == VALUE_NULL) continue;
    int equal = operate_equal(call->eval, call->args[0], call->expr->args[0]->type, call->args[i],
                              call->expr->args[i]->type);
    if (call->eval->abort) return NULL_VALUE;
    if (equal == 1) return value_int(i);
  }
  return value_int(0);
}

/* ---- The table ---------------------------------------------------------------------------------------- */

static Value call_concat_all(TextCall *call) { return call_concat(call, 0, "", 0); }

/* `texts`: how many leading arguments are wanted as text. */
static const struct TextFunction {
  FunctionId id;
  uint8_t texts;
  Value (*call)(TextCall *call);
} text_functions[] = {
    {FUNCTION_LENGTH, 1, call_length},
    {FUNCTION_CHAR_LENGTH, 1, call_length},
    {FUNCTION_OCTET_LENGTH, 1, call_length},
    {FUNCTION_BIT_LENGTH, 1, call_length},
    {FUNCTION_LOWER, 1, call_case},
    {FUNCTION_UPPER, 1, call_case},
    {FUNCTION_INITCAP, 1, call_case},
    {FUNCTION_TRIM, 2, call_trim},
    {FUNCTION_LTRIM, 2, call_trim},
    {FUNCTION_RTRIM, 2, call_trim},
    {FUNCTION_SUBSTR, 1, call_substr},
    {FUNCTION_LEFT, 1, call_side},
    {FUNCTION_RIGHT, 1, call_side},
    {FUNCTION_REPLACE, 2, call_replace},
    {FUNCTION_INSTR, 2, call_instr},
    {FUNCTION_LOCATE, 2, call_locate},
    {FUNCTION_CONCAT, 0, call_concat_all},
    {FUNCTION_CONCAT_WS, 0, call_concat_ws},
    {FUNCTION_REPEAT, 1, call_repeat},
    {FUNCTION_SPACE, 0, call_repeat},
    {FUNCTION_REVERSE, 1, call_reverse},
    {FUNCTION_LPAD, 1, call_pad},
    {FUNCTION_RPAD, 1, call_pad},
    {FUNCTION_ASCII, 1, call_code},
    {FUNCTION_UNICODE, 1, call_code},
    {FUNCTION_CHR, 0, call_characters_of},
    {FUNCTION_CHARACTERS, 0, call_characters_of},
    {FUNCTION_HEX, 0, call_hex},
    {FUNCTION_UNHEX, 1, call_unhex},
    {FUNCTION_QUOTE, 0, call_quote},
    {FUNCTION_TYPEOF, 0, call_typeof},
    {FUNCTION_ZEROBLOB, 0, call_zeroblob},
    {FUNCTION_SPLIT_PART, 2, call_split_part},
    {FUNCTION_SUBSTRING_INDEX, 2, call_substring_index},
    {FUNCTION_FIND_IN_SET, 2, call_find_in_set},
    {FUNCTION_TRANSLATE, 2, call_translate},
    {FUNCTION_STRCMP, 0, call_strcmp},
    {FUNCTION_ELT, 0, call_elt},
    {FUNCTION_FIELD, 0, call_field},
    {FUNCTION_STARTS_WITH, 2, call_starts_with},
};

bool function_text_call(Eval *eval, const Expr *expr, const Value *args, Value *result) {
  for (size_t i = 0; i < sizeof text_functions / sizeof *text_functions; i++) {
    if (text_functions[i].id != expr->function->id) continue;
    TextCall call = {.eval = eval, .expr = expr, .args = args, .count = expr->arg_count};
    call.is_blob = call.count && args[0].kind == VALUE_BLOB;
    *result = NULL_VALUE;
    if (text_functions[i].texts > 0 && !call_text(&call, 0, &call.text, &call.length)) return true;
    if (text_functions[i].texts > 1 && call.count > 1 &&
        !call_text(&call, 1, &call.second, &call.second_length))
      return true;
    *result = text_functions[i].call(&call);
    return true;
  }
  return false;
}
