/* store_internal.h: what the files of the store share: tables, indexes, the undo log. */
#ifndef ALIBI_SEMANTICS_STORE_INTERNAL_H
#define ALIBI_SEMANTICS_STORE_INTERNAL_H

#include "semantics/ordered.h"
#include "semantics/slab.h"
#include "semantics/store.h"
#include "src/base/array.h"
#include "src/base/map.h"

#include <assert.h>

typedef struct StoreIndex {
  const Index *index;
  uint32_t column_count;
  uint32_t *columns;  /* owned */
  Ordered *decided;   /* owned */
  Ordered *undecided; /* owned: keys with values that have no order, in a tree without columns */
} StoreIndex;

typedef struct TableStore {
  const Table *table;
  Key **keys; /* owned; dense */
  uint32_t key_count, key_room;
  uint32_t deleted_count; /* keys whose newest version is a tombstone */
  uint64_t next_rowid;     /* above all that were ever given */
  uint64_t largest_rowid;  /* of the keys that are not deleted */
  bool largest_is_known;
  ARRAY(StoreIndex *) indexes; /* owned */
} TableStore;

typedef struct Undo {
  Key *key; /* NULL: a call */
  union {
    Version *version; /* the one that was pushed */
    void (*call)(void *context, void *object, uint64_t number);
  };
  void *context, *object;
  uint64_t number;     /* versions: the key's row id before */
  uint64_t next_rowid; /* versions: the table's before */
  bool is_guess; /* what is undone is no part of the state, but a guess at what comes next */
} Undo;

typedef struct Guarded {
  Key *key;
  Version *version;
} Guarded;

struct Store {
  const StoreView *view; /* borrowed; first: store_view */
  Schema *schema; /* borrowed */
  Slab slab;
  TableStore **tables; /* owned, by table id; NULL: not added */
  uint32_t table_room;
  uint32_t writer;
  bool keeps_history, keeps_undo, keeps_writes, forbids_seeks;
  SeekStats seeks;
  UndoMark begun;      /* where the running transaction begins in the log */
  StoreDigest digest;  /* while undo is kept */
  uint64_t next_serial;
  ARRAY(Undo) undo;
  ARRAY(Guarded) guarded; /* in the order of time */
  uint32_t decided_count; /* of them */
  ARRAY(Key *) dead;
  Value *gathered[2]; /* owned: indexed values of a row */
  uint32_t gathered_room;
};

static inline TableStore *table_of(const Store *store, const Table *table) {
  assert(table->id < store->table_room && store->tables[table->id]);
  return store->tables[table->id];
}

/* store.c: the version goes in or out of the digest: the two are the same. */
void digest_change(Store *store, const TableStore *table, const Key *key, const Version *version);

/* store.c: the memory of a version and of a key; the entries of a version that is about to go. */
void version_free(Store *store, Version *version);
void key_free(Store *store, TableStore *table, Key *key);
void version_unindex(Store *store, TableStore *table, Key *key, const Version *version);

/* store_index.c: entries of a row, added or removed; and who else holds them (S2). */
StoreIndex *index_of(const TableStore *table, const Index *index); /* NULL: none */
void index_free(StoreIndex *index);
const Value *index_gather(Store *store, const StoreIndex *index, const Value *row, unsigned which);
void index_change(Store *store, StoreIndex *index, const Value *row, Key *key, bool adds);
/* Whether a version from `from` on down to the oldest, but `except`, has the row's entry. */
bool index_is_held(Store *store, const StoreIndex *index, const Version *from, const Version *except, const Value *row);

#endif
