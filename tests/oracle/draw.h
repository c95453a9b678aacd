/* draw.h: seeded random choices, and text that grows. */
#ifndef ALIBI_ORACLE_DRAW_H
#define ALIBI_ORACLE_DRAW_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Draw {
  uint64_t state;
} Draw;

/* splitmix64 */
static inline uint64_t draw_next(Draw *draw) {
  uint64_t word = draw->state += 0x9e3779b97f4a7c15u;
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
  word = (word ^ word >> 27) * 0x94d049bb133111ebu;
  return word ^ word >> 31;
}

/* In [0, bound). */
static inline uint32_t draw_below(Draw *draw, uint32_t bound) { return (uint32_t)(draw_next(draw) % bound); }
static inline bool draw_percent(Draw *draw, uint32_t percent) { return draw_below(draw, 100) < percent; }

typedef struct Text {
  char text[1024];
  size_t length;
} Text;

static inline __attribute__((format(printf, 2, 3))) void text_add(Text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int added = vsnprintf(text->text + text->length, sizeof text->text - text->length, format, arguments);
  va_end(arguments);
  text->length += (size_t)added;
  if (text->length >= sizeof text->text) text->length = sizeof text->text - 1;
}

#endif
