/* value.c: construction and copying of values; see V1 to V5 in value.h. */
#include "src/base/value.h"

#include "src/base/map.h"

Value value_decimal(Arena *arena, Int128 coefficient, unsigned scale) {
  if (coefficient >= INT64_MIN && coefficient <= INT64_MAX)
    return (Value){.kind = VALUE_DECIMAL, .scale = (uint8_t)scale, .integer = (int64_t)coefficient};
  uint64_t *words = arena_alloc(arena, 2 * sizeof *words);
  words[0] = (uint64_t)coefficient;
  words[1] = (uint64_t)(coefficient >> 64);
  return (Value){.kind = VALUE_WIDE, .scale = (uint8_t)scale, .wide = words};
}

Int128 value_coefficient(Value value) {
  if (value.kind == VALUE_UINT) return (Int128)value.natural;
  if (value.kind != VALUE_WIDE) return value.integer;
  return (Int128)(((unsigned __int128)value.wide[1] << 64) | value.wide[0]);
}

static size_t align(size_t size) { return (size + 7) & ~(size_t)7; }

size_t value_extra(Value value) {
  switch (value.kind) {
  case VALUE_TEXT:
  case VALUE_BLOB: return align(value.length);
  case VALUE_WIDE: return 2 * sizeof(uint64_t);
  case VALUE_LIST: {
    size_t size = value.length * sizeof(Value);
    for (uint32_t i = 0; i < value.length; i++) size += value_extra(value.items[i]);
    return size;
  }
  default: return 0;
  }
}

static char *take(char **memory, size_t size) {
  char *taken = *memory;
  *memory += align(size);
  return taken;
}

Value value_pack(Value value, char **memory) {
  switch (value.kind) {
  case VALUE_TEXT:
  case VALUE_BLOB: {
    char *copy = take(memory, value.length);
    if (value.length) memcpy(copy, value.text, value.length);
    value.text = copy;
    return value;
  }
  case VALUE_WIDE: {
    char *copy = take(memory, 2 * sizeof(uint64_t));
    memcpy(copy, value.wide, 2 * sizeof(uint64_t));
    value.wide = (const uint64_t *)(void *)copy;
    return value;
  }
  case VALUE_LIST: {
    Value *items = (Value *)(void *)take(memory, value.length * sizeof(Value));
    for (uint32_t i = 0; i < value.length; i++) items[i] = value_pack(value.items[i], memory);
    value.items = items;
    return value;
  }
  default: return value;
  }
}

Value value_copy(Arena *arena, Value value) {
  size_t extra = value_extra(value);
  if (!extra && value.kind != VALUE_TEXT && value.kind != VALUE_BLOB) return value;
  char *memory = arena_alloc(arena, extra ? extra : 1);
  return value_pack(value, &memory);
}

bool value_identical(Value a, Value b) {
  if (a.kind != b.kind || a.scale != b.scale || a.length != b.length) return false;
  switch (a.kind) {
  case VALUE_NULL: return true;
  case VALUE_TEXT:
  case VALUE_BLOB: return a.length == 0 || memcmp(a.text, b.text, a.length) == 0;
  case VALUE_WIDE: return a.wide[0] == b.wide[0] && a.wide[1] == b.wide[1];
  case VALUE_LIST:
    for (uint32_t i = 0; i < a.length; i++)
      if (!value_identical(a.items[i], b.items[i])) return false;
    return true;
  case VALUE_DOUBT: return a.doubt == b.doubt;
  default: return a.integer == b.integer; /* doubles by their bits */
  }
}

uint64_t value_digest(Value value) {
  uint64_t digest = hash_mix((uint64_t)value.kind << 8 | value.scale, value.length);
  switch (value.kind) {
  case VALUE_NULL: return digest;
  case VALUE_TEXT:
  case VALUE_BLOB: return hash_mix(digest, hash_bytes(value.text, value.length));
  case VALUE_WIDE: return hash_mix(hash_mix(digest, value.wide[0]), value.wide[1]);
  case VALUE_LIST:
    for (uint32_t i = 0; i < value.length; i++) digest = hash_mix(digest, value_digest(value.items[i]));
    return digest;
  case VALUE_DOUBT: return hash_mix(digest, value.doubt);
  default: return hash_mix(digest, value.natural);
  }
}

const char *value_kind_name(ValueKind kind) {
  static const char *const names[] = {
      "null", "boolean", "integer", "unsigned integer", "decimal",  "decimal", "double",       "text",
      "blob", "date",    "time",    "timestamp",        "interval", "list",    "unknown value"};
  return names[kind];
}
