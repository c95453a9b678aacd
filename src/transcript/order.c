/* order.c: a heap of copied lines, the least first.
 *
 * If no transaction is further than K from its place, then the one with place p is among the first
 * p + K + 1 transactions of the file: with K + 1 in the heap, the least of them is the next.
 *
 * Copies live in batches, arenas that are freed once all their lines have been handed out. */
#include "src/transcript/order.h"

#include <assert.h>
#include <stdlib.h>

enum { BATCH_BYTES = 256 * 1024 };

typedef struct Batch {
  Arena arena;
  uint32_t live; /* lines in it that are still held */
} Batch;

typedef struct Held {
  int64_t key;       /* of the transaction it is sorted by: its own, or that of the one above (O2) */
  uint64_t leader;   /* that transaction's number in the file: breaks ties (O1) */
  uint64_t sequence; /* its own */
  uint64_t rank;     /* its place in the file, counted in transactions that have one */
  bool has_rank;     /* gaps have none */
  Line line;
  Batch *batch;
} Held;

struct TranscriptOrder {
  TranscriptReader *reader;
  const char *file;
  GivenOrder by;
  uint64_t reorder;
  ARRAY(Held) heap;
  uint64_t held; /* transactions in the heap */
  Batch *batch;  /* the one being filled, or NULL */
  Batch *shown;  /* the batch of the line handed out last, or NULL */
  int64_t key;   /* of the last transaction read that has one */
  uint64_t leader;
  uint64_t sequence;
  uint64_t read_rank, shown_rank; /* transactions with a place, read and handed out */
  bool has_shown;
  Held last;    /* the transaction handed out last, its line invalid */
  Line waiting; /* a line that waits for the heap to run empty */
  bool is_waiting;
};

TranscriptOrder *order_new(TranscriptReader *reader, const char *file) {
  TranscriptOrder *order = memory_new(sizeof *order);
  const Header *header = transcript_header(reader);
  order->reader = reader;
  order->file = file;
  order->by = header->order;
  order->reorder = header->reorder;
  order->key = INT64_MIN; /* what has nothing above it comes first */
  return order;
}

static void batch_release(TranscriptOrder *order, Batch *batch) {
  if (!batch || --batch->live || batch == order->batch) return;
  arena_free(&batch->arena);
  free(batch);
}

void order_free(TranscriptOrder *order) {
  if (!order) return;
  batch_release(order, order->shown);
  for (uint32_t i = 0; i < order->heap.count; i++) batch_release(order, order->heap.items[i].batch);
  if (order->batch) arena_free(&order->batch->arena);
  free(order->batch);
  ARRAY_FREE(&order->heap);
  free(order);
}

/* ---- The heap ------------------------------------------------------------------- */

static bool held_is_before(const Held *a, const Held *b) {
  if (a->key != b->key) return a->key < b->key;
  if (a->leader != b->leader) return a->leader < b->leader;
  return a->sequence < b->sequence;
}

static void heap_push(TranscriptOrder *order, Held held) {
  ARRAY_PUSH(&order->heap, held);
  Held *items = order->heap.items;
  uint32_t place = order->heap.count - 1;
  for (; place && held_is_before(&held, &items[(place - 1) / 2]); place = (place - 1) / 2)
    items[place] = items[(place - 1) / 2];
  items[place] = held;
}

static Held heap_pop(TranscriptOrder *order) {
  Held *items = order->heap.items;
  Held least = items[0], moved = items[--order->heap.count];
  uint32_t count = order->heap.count, place = 0;
  for (uint32_t child = 1; child < count; child = 2 * place + 1) {
    if (child + 1 < count && held_is_before(&items[child + 1], &items[child])) child++;
    if (!held_is_before(&items[child], &moved)) break;
    items[place] = items[child];
    place = child;
  }
  if (count) items[place] = moved;
  return least;
}

/* ---- Copies ----------------------------------------------------------------------- */

static Arena *batch_arena(TranscriptOrder *order) {
  if (order->batch && arena_size(&order->batch->arena) > BATCH_BYTES) {
    Batch *full = order->batch;
    order->batch = NULL;
    if (!full->live) {
      arena_free(&full->arena);
      free(full);
    }
  }
  if (!order->batch) order->batch = memory_new(sizeof *order->batch);
  order->batch->live++;
  return &order->batch->arena;
}

static Line line_copy(TranscriptOrder *order, const Line *line) {
  Arena *arena = batch_arena(order);
  Line copy = *line;
  if (line->kind == LINE_TRANSACTION)
    copy.transaction = *transaction_copy(arena, &line->transaction);
  else
    copy.gap.text = arena_text(arena, line->gap.text, strlen(line->gap.text));
  return copy;
}

/* ---- Places ------------------------------------------------------------------------- */

/* The field the transaction is sorted by, if it has it. */
static bool transaction_key(const TranscriptOrder *order, const Transaction *transaction, int64_t *key) {
  if (transaction->status == STATUS_UNKNOWN) return false;
  if (order->by == ORDER_HINT) {
    *key = transaction->hint;
    return transaction->has_hint;
  }
  *key = transaction->commit.hi;
  return transaction->commit.given && transaction->commit.hi != INT64_MAX;
}

static bool order_too_far(const TranscriptOrder *order, const Held *held, Diag *diag) {
  Place place = {order->file, held->line.number, order->by == ORDER_HINT ? "hint" : "commit", -1};
  return diag_fail(diag, place, "transaction '%.80s' stands more than %llu lines from its place ('reorder')",
                   held->line.transaction.name, (unsigned long long)order->reorder);
}

static bool order_take(TranscriptOrder *order, const Line *line, Diag *diag) {
  Held held = {.sequence = order->sequence++, .has_rank = line->kind == LINE_TRANSACTION};
  int64_t key;
  if (held.has_rank && transaction_key(order, &line->transaction, &key)) {
    order->key = key;
    order->leader = held.sequence;
  }
  held.key = order->key;
  held.leader = order->leader;
  held.line = *line;
  if (order->has_shown && held.has_rank && held_is_before(&held, &order->last))
    return order_too_far(order, &held, diag);
  held.line = line_copy(order, line);
  held.batch = order->batch;
  if (held.has_rank) held.rank = order->read_rank++, order->held++;
  heap_push(order, held);
  return true;
}

static bool order_show(TranscriptOrder *order, Line *line, Diag *diag) {
  Held held = heap_pop(order);
  order->shown = held.batch;
  *line = held.line;
  if (!held.has_rank) return true;
  order->held--;
  order->has_shown = true;
  order->last = held;
  uint64_t place = order->shown_rank++;
  assert(held.rank <= place + order->reorder || order->reorder > UINT64_MAX - place);
  return place <= held.rank || place - held.rank <= order->reorder || order_too_far(order, &held, diag);
}

/* Lines that have a place among the transactions. */
static bool line_has_place(const Line *line) {
  if (line->kind == LINE_TRANSACTION) return line->transaction.status != STATUS_ABORTED;
  return line->kind == LINE_GAP;
}

bool order_next(TranscriptOrder *order, Line *line, Diag *diag) {
  if (order->by == ORDER_FILE) return transcript_next(order->reader, line, diag);
  batch_release(order, order->shown);
  order->shown = NULL;
  while (!order->is_waiting && order->held <= order->reorder) {
    Line next;
    if (!transcript_next(order->reader, &next, diag)) return false;
    if (line_has_place(&next)) {
      if (!order_take(order, &next, diag)) return false;
      continue;
    }
    bool ends_transactions = next.kind == LINE_FINAL || next.kind == LINE_END;
    if (!ends_transactions || !order->heap.count) {
      *line = next;
      return true;
    }
    order->waiting = next; /* valid: the reader is not asked again before it is handed out */
    order->is_waiting = true;
  }
  if (order->heap.count) return order_show(order, line, diag);
  *line = order->waiting;
  order->is_waiting = false;
  return true;
}
