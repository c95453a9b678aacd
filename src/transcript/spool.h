/* spool.h: what came through a pipe, kept in a temporary file, so that it can be read again from its beginning.
 *
 * There is one spool for a path, however often that is opened; whoever has read all that was kept reads on from the pipe.
 * Spools live until the program ends; their files have no name. */
#ifndef ALIBI_TRANSCRIPT_SPOOL_H
#define ALIBI_TRANSCRIPT_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct Spool Spool;

/* The path's, if it was opened before. */
Spool *spool_find(const char *path);
/* The descriptor becomes the spool's. */
Spool *spool_new(const char *path, int descriptor);
/* As read(2), from a place of the whole; errno tells.  A temporary file that fails is an error as well. */
ssize_t spool_read(Spool *spool, uint64_t offset, char *buffer, size_t room);
bool spool_has(const Spool *spool, uint64_t offset); /* without asking the pipe */
int spool_descriptor(const Spool *spool);            /* of the pipe */

#endif
