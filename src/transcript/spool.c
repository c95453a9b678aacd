/* spool.c: a list of pipes, each with the file of what came. */
#include "src/transcript/spool.h"

#include "src/base/arena.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Spool {
  Spool *next;
  char *path;
  int descriptor;
  FILE *file;
  uint64_t length;
};

static Spool *spools;

Spool *spool_find(const char *path) {
  Spool *spool = spools;
  while (spool && strcmp(spool->path, path) != 0) spool = spool->next;
  return spool;
}

Spool *spool_new(const char *path, int descriptor) {
  FILE *file = tmpfile();
  if (!file) return NULL;
  Spool *spool = memory_new(sizeof *spool);
  *spool = (Spool){.next = spools, .path = strdup(path), .descriptor = descriptor, .file = file};
  return spools = spool;
}

/* All of it, or false. */
static bool spool_keep(Spool *spool, const char *buffer, size_t length) {
  while (length) {
    ssize_t written = pwrite(fileno(spool->file), buffer, length, (off_t)spool->length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    spool->length += (uint64_t)written;
    buffer += written;
    length -= (size_t)written;
  }
  return true;
}

ssize_t spool_read(Spool *spool, uint64_t offset, char *buffer, size_t room) {
  if (offset < spool->length) {
    uint64_t left = spool->length - offset;
    return pread(fileno(spool->file), buffer, left < room ? (size_t)left : room, (off_t)offset);
  }
  ssize_t got = read(spool->descriptor, buffer, room);
  if (got > 0 && !spool_keep(spool, buffer, (size_t)got)) return -1;
  return got;
}

bool spool_has(const Spool *spool, uint64_t offset) { return offset < spool->length; }
int spool_descriptor(const Spool *spool) { return spool->descriptor; }
