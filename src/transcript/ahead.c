/* ahead.c: a ring of batches between the thread that reads and the one that asks.
 *
 * A1  Batch i is the reader's while filled <= i, the asker's while taken <= i < filled; both counters only
 * grow and change under the mutex. A2  The last batch ends with LINE_END or with bad input; nothing is read
 * behind it. */
#include "src/transcript/ahead.h"

#include "src/base/array.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 4, BATCH_LINES = 256, BATCH_BYTES = 128 * 1024 };

typedef struct Said {
  uint32_t item; /* the line it belongs before */
  const char *message;
} Said;

typedef struct Item {
  Line line;
  TranscriptStats stats;
  bool is_read; /* false: bad input */
} Item;

typedef struct Batch {
  Arena arena;
  ARRAY(Item) items;
  ARRAY(Said) said;
} Batch;

struct Ahead {
  AheadRead read;
  void *reader;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  uint64_t filled, taken;
  bool must_stop;
  Batch batches[BATCHES];
  Diag trouble; /* of the last item, if it is bad input */
  /* the asker's */
  bool has_batch;
  uint32_t next_item, next_said;
};

/* ---- The thread that reads ------------------------------------------------------ */

static Batch *batch_wait(Ahead *ahead) {
  pthread_mutex_lock(&ahead->mutex);
  while (!ahead->must_stop && ahead->filled - ahead->taken == BATCHES)
    pthread_cond_wait(&ahead->changed, &ahead->mutex);
  Batch *batch = ahead->must_stop ? NULL : &ahead->batches[ahead->filled % BATCHES];
  pthread_mutex_unlock(&ahead->mutex);
  return batch;
}

static void batch_hand_over(Ahead *ahead) {
  pthread_mutex_lock(&ahead->mutex);
  ahead->filled++;
  pthread_cond_signal(&ahead->changed);
  pthread_mutex_unlock(&ahead->mutex);
}

/* False: its last line is the last of all. */
static bool batch_fill(Ahead *ahead, Batch *batch) {
  arena_clear(&batch->arena);
  batch->items.count = batch->said.count = 0;
  uint64_t begin = 0;
  for (;;) {
    Item item = {.is_read = false};
    item.is_read = ahead->read(ahead, ahead->reader, &batch->arena, &item.line, &item.stats, &ahead->trouble);
    ARRAY_PUSH(&batch->items, item);
    if (!item.is_read || item.line.kind == LINE_END) return false;
    if (batch->items.count == 1) begin = item.stats.bytes;
    if (batch->items.count == BATCH_LINES || item.stats.bytes - begin >= BATCH_BYTES) return true;
  }
}

static void *ahead_run(void *context) {
  Ahead *ahead = context;
  Batch *batch;
  bool goes_on = true;
  while (goes_on && (batch = batch_wait(ahead))) {
    goes_on = batch_fill(ahead, batch);
    batch_hand_over(ahead);
  }
  return NULL;
}

void ahead_warn(Ahead *ahead, const char *message) {
  Batch *batch = &ahead->batches[ahead->filled % BATCHES]; /* A1: only this thread changes `filled` */
  Said said = {batch->items.count, arena_text(&batch->arena, message, strlen(message))};
  ARRAY_PUSH(&batch->said, said);
}

/* ---- The one that asks ------------------------------------------------------------ */

static void ahead_delete(Ahead *ahead) {
  pthread_mutex_destroy(&ahead->mutex);
  pthread_cond_destroy(&ahead->changed);
  for (int i = 0; i < BATCHES; i++) {
    arena_free(&ahead->batches[i].arena);
    ARRAY_FREE(&ahead->batches[i].items);
    ARRAY_FREE(&ahead->batches[i].said);
  }
  free(ahead);
}

Ahead *ahead_start(AheadRead read, void *reader) {
  Ahead *ahead = memory_new(sizeof *ahead);
  ahead->read = read;
  ahead->reader = reader;
  diag_clear(&ahead->trouble);
  pthread_mutex_init(&ahead->mutex, NULL);
  pthread_cond_init(&ahead->changed, NULL);
  for (int i = 0; i < BATCHES; i++) arena_init(&ahead->batches[i].arena);
  if (pthread_create(&ahead->thread, NULL, ahead_run, ahead) == 0) return ahead;
  ahead_delete(ahead);
  return NULL;
}

/* The batch that has the next line. */
static Batch *ahead_batch(Ahead *ahead) {
  Batch *batch = &ahead->batches[ahead->taken % BATCHES];
  if (ahead->has_batch && ahead->next_item < batch->items.count) return batch;
  pthread_mutex_lock(&ahead->mutex);
  if (ahead->has_batch) {
    ahead->taken++;
    pthread_cond_signal(&ahead->changed);
  }
  while (ahead->filled == ahead->taken) pthread_cond_wait(&ahead->changed, &ahead->mutex);
  pthread_mutex_unlock(&ahead->mutex);
  ahead->has_batch = true;
  ahead->next_item = ahead->next_said = 0;
  return &ahead->batches[ahead->taken % BATCHES];
}

bool ahead_next(Ahead *ahead, void (*warn)(const char *message, void *context), void *context, Line *line,
                TranscriptStats *stats, Diag *diag) {
  Batch *batch = ahead_batch(ahead);
  const Item *item = &batch->items.items[ahead->next_item];
  for (; ahead->next_said < batch->said.count && batch->said.items[ahead->next_said].item <= ahead->next_item;
       ahead->next_said++)
    if (warn) warn(batch->said.items[ahead->next_said].message, context);
  *line = item->line;
  *stats = item->stats;
  bool is_last = !item->is_read || item->line.kind == LINE_END;
  if (!is_last) ahead->next_item++;
  if (!item->is_read && !diag->failed) {
    *diag = ahead->trouble;
    if (diag->place.field) diag->place.field = diag->field; /* it pointed into `trouble` */
  }
  return item->is_read;
}

void ahead_free(Ahead *ahead) {
  if (!ahead) return;
  pthread_mutex_lock(&ahead->mutex);
  ahead->must_stop = true;
  pthread_cond_signal(&ahead->changed);
  pthread_mutex_unlock(&ahead->mutex);
  pthread_join(ahead->thread, NULL);
  ahead_delete(ahead);
}
