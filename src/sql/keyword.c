/* keyword.c: finds keywords by hash.
 *
 * The table is built once from keyword.def, with open addressing and much room,
 * so that a plain name mostly costs one look at an empty slot. */
#include "src/sql/scan.h"

#include "src/sql/grammar.h"

#include <pthread.h>
#include <string.h>

typedef struct Keyword {
  const char *word; /* lower case */
  uint16_t code;    /* 0: the word of a type */
  uint8_t dialects;
} Keyword;

static const Keyword KEYWORDS[] = {
#define KEYWORD(word, code, dialects) {word, SQL_##code, dialects},
#define TYPE_WORD(word) {word, 0, WORDS_EVERY},
#include "src/sql/keyword.def"
#undef KEYWORD
#undef TYPE_WORD
};

enum { SLOTS = 2048, KEYWORD_COUNT = sizeof KEYWORDS / sizeof *KEYWORDS };

static struct {
  const Keyword *keyword; /* NULL: empty */
  uint64_t hash;
} slots[SLOTS];

static pthread_once_t slots_once = PTHREAD_ONCE_INIT;

static uint32_t slot_of(uint64_t hash) { return (uint32_t)(hash ^ hash >> 20) % SLOTS; }

static void slots_fill(void) {
  for (int i = 0; i < KEYWORD_COUNT; i++) {
    uint64_t hash = 0;
    for (const char *at = KEYWORDS[i].word; *at; at++) hash = byte_mix(hash, (unsigned char)*at | 0x20);
    uint32_t slot = slot_of(hash);
    while (slots[slot].keyword) slot = (slot + 1) % SLOTS;
    slots[slot].keyword = &KEYWORDS[i];
    slots[slot].hash = hash;
  }
}

uint8_t keyword_dialects(const Dialect *dialect) {
  pthread_once(&slots_once, slots_fill);
  switch (dialect->name) {
  case DIALECT_POSTGRESQL: return WORDS_POSTGRESQL;
  case DIALECT_MYSQL:
  case DIALECT_MARIADB: return WORDS_MYSQL;
  case DIALECT_SQLITE: return WORDS_SQLITE;
  default: return WORDS_GENERIC;
  }
}

static bool word_is(const Keyword *keyword, const char *word, size_t length) {
  for (size_t i = 0; i < length; i++) {
    char lower = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] | 0x20) : word[i];
    if (keyword->word[i] != lower) return false; /* ends at the NUL of a shorter keyword */
  }
  return keyword->word[length] == '\0';
}

uint16_t keyword_find(const char *word, size_t length, uint64_t hash, uint8_t dialects, bool *is_type) {
  if (length > WORD_LONGEST) return 0;
  for (uint32_t slot = slot_of(hash); slots[slot].keyword; slot = (slot + 1) % SLOTS) {
    const Keyword *keyword = slots[slot].keyword;
    if (slots[slot].hash != hash || !word_is(keyword, word, length)) continue;
    *is_type = keyword->code == 0;
    return keyword->dialects & dialects ? keyword->code : 0;
  }
  return 0;
}
