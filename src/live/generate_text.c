/* generate_text.c: dice, text and the notes for the coverage table. */
#include "src/live/generate_draw.h"

#include <stdarg.h>

uint32_t draw_below(Generator *generator, uint32_t bound) {
  return (uint32_t)(((random_next(&generator->random) >> 32) * bound) >> 32);
}

bool draw_chance(Generator *generator, uint32_t percent) { return draw_below(generator, 100) < percent; }

static void text_reserve(Generator *generator, size_t more) {
  size_t need = generator->text.count + more + 1;
  if (need <= generator->text.room) return;
  generator->text.room = (uint32_t)(need * 2);
  generator->text.items = memory_resize(generator->text.items, generator->text.room);
}

void emit(Generator *generator, const char *format, ...) {
  text_reserve(generator, 64);
  size_t room = generator->text.room - generator->text.count;
  va_list args;
  va_start(args, format);
  size_t length = (size_t)vsnprintf(generator->text.items + generator->text.count, room, format, args);
  va_end(args);
  if (length >= room) {
    text_reserve(generator, length);
    va_start(args, format);
    vsnprintf(generator->text.items + generator->text.count, length + 1, format, args);
    va_end(args);
  }
  generator->text.count += (uint32_t)length;
}

void emit_again(Generator *generator, size_t start, size_t length) {
  text_reserve(generator, length);
  memcpy(generator->text.items + generator->text.count, generator->text.items + start, length);
  generator->text.count += (uint32_t)length;
  generator->text.items[generator->text.count] = 0;
}

void text_settle(Generator *generator, size_t start, size_t middle) {
  size_t length = generator->text.count - middle;
  memmove(generator->text.items + start, generator->text.items + middle, length + 1);
  generator->text.count = (uint32_t)(start + length);
}

static void cover(Generator *generator, CoverageCell cell) {
  if (cell) ARRAY_PUSH(&generator->cells, cell);
}

void cover_feature(Generator *generator, Feature feature) {
  cover(generator, coverage_of_feature(generator->coverage, feature));
}

void cover_function(Generator *generator, const char *name, bool is_aggregate) {
  cover(generator, coverage_of_function(generator->coverage, name, is_aggregate));
}

void cover_operator(Generator *generator, OperatorId id, OperandType left, OperandType right) {
  cover(generator, coverage_of_operator(generator->coverage, id, left, right));
}
