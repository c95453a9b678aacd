/* source.c: reads into a buffer that grows up to the longest admissible line. */
#include "src/transcript/source.h"

#include "src/base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_ROOM = 256 * 1024, FOLLOW_MILLISECONDS = 100 };

static Place source_place(const LineSource *source, uint64_t line) {
  return (Place){.file = source->path, .line = line, .offset = -1};
}

static bool source_fail(const LineSource *source, Diag *diag, const char *what) {
  return diag_fail(diag, source_place(source, 0), "%s: %s", what, strerror(errno));
}

/* A regular file is read by its own descriptor, anything else through its spool. */
static bool source_begin(LineSource *source, Diag *diag) {
  struct stat status;
  bool is_known = fstat(source->descriptor, &status) == 0;
  if (is_known && S_ISDIR(status.st_mode))
    return diag_fail(diag, source_place(source, 0), "is a directory, not a file");
  if (is_known && S_ISREG(status.st_mode)) {
    source->size = (uint64_t)status.st_size;
    return true;
  }
  source->spool = spool_new(source->path, source->descriptor);
  if (!source->spool) return source_fail(source, diag, "cannot make a temporary file");
  source->descriptor = -1;
  return true;
}

bool source_open(LineSource *source, const char *path, Diag *diag) {
  *source = (LineSource){.path = path, .descriptor = -1, .spool = spool_find(path)};
  if (!source->spool) {
    bool is_standard = strcmp(path, "-") == 0;
    source->descriptor = is_standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (source->descriptor < 0) return source_fail(source, diag, "cannot open");
    if (!source_begin(source, diag)) return false;
  }
  source->room = FIRST_ROOM;
  source->buffer = memory_new(source->room + SOURCE_SLACK);
  return true;
}

void source_close(LineSource *source) {
  if (source->descriptor >= 0) close(source->descriptor);
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

static ssize_t source_read(LineSource *source) {
  char *buffer = source->buffer + source->end;
  size_t room = source->room - source->end;
  if (source->spool) return spool_read(source->spool, source->offset, buffer, room);
  return pread(source->descriptor, buffer, room, (off_t)source->offset);
}

/* Waits until there may be more to read.  False: it was interrupted. */
static bool source_wait(const LineSource *source, int milliseconds) {
  struct pollfd ready = {.fd = source->spool ? spool_descriptor(source->spool) : -1, .events = POLLIN};
  return poll(&ready, 1, milliseconds) >= 0 || errno != EINTR;
}

/* One read. SOURCE_END: nothing more will come. */
static SourceAnswer source_fill(LineSource *source, Diag *diag) {
  if (!source_make_room(source)) {
    diag_fail(diag, source_place(source, source->line + 1), "a line of more than 64 MiB");
    return SOURCE_FAILED;
  }
  for (;;) {
    ssize_t got = source_read(source);
    if (got > 0) {
      source->end += (size_t)got;
      source->offset += (uint64_t)got;
      return SOURCE_LINE;
    }
    bool must_wait = got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    if (got == 0 && source->follows && !source->spool) must_wait = true;
    if (must_wait && source_wait(source, source->spool ? -1 : FOLLOW_MILLISECONDS)) continue;
    if (got == 0 && !must_wait) {
      source->is_at_end = true;
      return SOURCE_END;
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
  if (source->is_at_end) return false;
  if (memchr(source->buffer + source->scanned, '\n', source->end - source->scanned)) return false;
  struct stat status;
  if (!source->spool)
    return source->follows && fstat(source->descriptor, &status) == 0 &&
           (uint64_t)status.st_size <= source->offset;
  if (spool_has(source->spool, source->offset)) return false;
  struct pollfd ready = {.fd = spool_descriptor(source->spool), .events = POLLIN};
  return poll(&ready, 1, 0) == 0;
}
