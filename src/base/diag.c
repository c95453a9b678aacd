/* diag.c: the first error wins. */
#include "src/base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void diag_clear(Diag *diag) { *diag = (Diag){.place = PLACE_NONE}; }

bool diag_fail(Diag *diag, Place place, const char *format, ...) {
  if (diag->failed) return false;
  diag->failed = true;
  diag->place = place;
  diag->field[0] = 0;
  if (place.field) {
    snprintf(diag->field, sizeof diag->field, "%s", place.field);
    diag->place.field = diag->field;
  }
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(diag->message, sizeof diag->message, format, arguments);
  va_end(arguments);
  return false;
}

const char *diag_text(const Diag *diag, char *buffer, unsigned long size) {
  unsigned long used = 0;
  buffer[0] = 0;
#define APPEND(...)                                                                                          \
  do {                                                                                                       \
    if (used < size) used += (unsigned long)snprintf(buffer + used, size - used, __VA_ARGS__);               \
  } while (0)
  if (diag->place.file) APPEND("%s:", diag->place.file);
  if (diag->place.line) APPEND("%llu:", (unsigned long long)diag->place.line);
  if (used) APPEND(" ");
  if (diag->field[0]) APPEND("field '%s': ", diag->field);
  APPEND("%s", diag->message);
  if (diag->place.offset >= 0) APPEND(" (at offset %lld)", (long long)diag->place.offset);
#undef APPEND
  return buffer;
}
