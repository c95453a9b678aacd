/* source.c: read(2) into a buffer that grows up to the longest admissible line. */
#include "src/transcript/source.h"

#include "src/base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_ROOM = 256 * 1024 };

static Place source_place(const LineSource *source, uint64_t line) {
  return (Place){.file = source->path, .line = line, .offset = -1};
}

bool source_open(LineSource *source, const char *path, Diag *diag) {
  *source = (LineSource){.path = path};
  bool is_standard = strcmp(path, "-") == 0;
  source->descriptor = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (source->descriptor < 0)
    return diag_fail(diag, source_place(source, 0), "cannot open: %s", strerror(errno));
  struct stat status;
  if (fstat(source->descriptor, &status) == 0) {
    if (S_ISDIR(status.st_mode))
      return diag_fail(diag, source_place(source, 0), "is a directory, not a file");
    if (S_ISREG(status.st_mode)) source->size = (uint64_t)status.st_size;
  }
  source->room = FIRST_ROOM;
  source->buffer = memory_new(source->room + SOURCE_SLACK);
  return true;
}

void source_close(LineSource *source) {
  if (source->descriptor > STDIN_FILENO) close(source->descriptor);
  free(source->buffer);
  *source = (LineSource){.descriptor = -1};
}

/* Room for at least one more byte behind `end`; false: the line is too long. */
static bool source_make_room(LineSource *source) {
  size_t held = source->end - source->begin;
  if (held > SOURCE_LONGEST_LINE) return false;
  if (source->end < source->room) return true;
  if (source->begin) {
    memmove(source->buffer, source->buffer + source->begin, held);
    source->scanned -= source->begin;
    source->end = held;
    source->begin = 0;
  }
  if (source->end > source->room / 2) {
    source->room *= 2;
    if (source->room > (size_t)SOURCE_LONGEST_LINE + 1) source->room = (size_t)SOURCE_LONGEST_LINE + 1;
    source->buffer = memory_resize(source->buffer, source->room + SOURCE_SLACK);
  }
  return true;
}

/* One read. SOURCE_END: nothing more will come. */
static SourceAnswer source_fill(LineSource *source, Diag *diag) {
  if (!source_make_room(source)) {
    diag_fail(diag, source_place(source, source->line + 1), "a line of more than 64 MiB");
    return SOURCE_FAILED;
  }
  for (;;) {
    ssize_t got = read(source->descriptor, source->buffer + source->end, source->room - source->end);
    if (got > 0) {
      source->end += (size_t)got;
      return SOURCE_LINE;
    }
    if (got == 0) {
      source->is_at_end = true;
      return SOURCE_END;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      struct pollfd ready = {.fd = source->descriptor, .events = POLLIN};
      if (poll(&ready, 1, -1) >= 0 || errno != EINTR) continue;
    }
    if (errno != EINTR) {
      diag_fail(diag, source_place(source, source->line + 1), "cannot read: %s", strerror(errno));
      return SOURCE_FAILED;
    }
    if (source->is_interrupted && source->is_interrupted(source->context)) {
      source->begin = source->scanned = source->end;
      source->is_at_end = true;
      return SOURCE_END;
    }
  }
}

static bool text_is_blank(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') return false;
  return true;
}

/* Hands out begin .. stop; a newline at `stop` goes with it. */
static void source_take(LineSource *source, size_t stop, bool is_terminated, SourceLine *line) {
  *line = (SourceLine){source->buffer + source->begin, stop - source->begin, is_terminated};
  source->buffer[stop] = 0;
  size_t next = stop + is_terminated;
  source->position += next - source->begin;
  source->begin = source->scanned = next;
  source->line++;
}

SourceAnswer source_next(LineSource *source, SourceLine *line, Diag *diag) {
  for (;;) {
    char *newline = memchr(source->buffer + source->scanned, '\n', source->end - source->scanned);
    if (newline) {
      if ((size_t)(newline - source->buffer) - source->begin > SOURCE_LONGEST_LINE) {
        diag_fail(diag, source_place(source, source->line + 1), "a line of more than 64 MiB");
        return SOURCE_FAILED;
      }
      source_take(source, (size_t)(newline - source->buffer), true, line);
    } else if (!source->is_at_end) {
      source->scanned = source->end;
      if (source_fill(source, diag) == SOURCE_FAILED) return SOURCE_FAILED;
      continue;
    } else if (source->begin == source->end) {
      return SOURCE_END;
    } else {
      source_take(source, source->end, false, line);
    }
    if (!text_is_blank(line->text, line->length)) return SOURCE_LINE;
  }
}

bool source_is_waiting(const LineSource *source) {
  if (source->is_at_end || source->size) return false;
  if (memchr(source->buffer + source->scanned, '\n', source->end - source->scanned)) return false;
  struct pollfd ready = {.fd = source->descriptor, .events = POLLIN};
  return poll(&ready, 1, 0) == 0;
}
