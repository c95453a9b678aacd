/* store.c: tables of keys, chains of versions, the undo log and the indexes over them.
 *
 * Every write pushes one version onto its key and one line onto the undo log; undoing pops both.
 * Committing forgets what the new versions supersede, in key_forget and nowhere else.  An
 * index has one entry per distinct row of indexed values among a key's live versions (S2), so a key may stand
 * in it more than once; store_next gives it where the version that shows stands. */
#include "semantics/store.h"

#include "semantics/ordered.h"
#include "semantics/slab.h"
#include "src/base/array.h"

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
  uint64_t next_rowid;
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
} Undo;

struct Store {
  Schema *schema; /* borrowed */
  Slab slab;
  TableStore **tables; /* owned, by table id; NULL: not added */
  uint32_t table_room;
  uint32_t writer;
  bool keeps_history;
  uint64_t next_serial;
  ARRAY(Undo) undo;
  ARRAY(Key *) dead;
  Value *gathered[2]; /* owned: indexed values of a row */
  uint32_t gathered_room;
};

/* ---- Tables and indexes --------------------------------------------------------- */

Store *store_new(Schema *schema) {
  Store *store = memory_new(sizeof *store);
  store->schema = schema;
  slab_init(&store->slab);
  return store;
}

static void index_free(StoreIndex *index) {
  ordered_free(index->decided);
  ordered_free(index->undecided);
  free(index->columns);
  free(index);
}

void store_free(Store *store) {
  if (!store) return;
  for (uint32_t i = 0; i < store->table_room; i++) {
    TableStore *table = store->tables[i];
    if (!table) continue;
    for (uint32_t k = 0; k < table->indexes.count; k++) index_free(table->indexes.items[k]);
    ARRAY_FREE(&table->indexes);
    free(table->keys);
    free(table);
  }
  free(store->tables);
  free(store->gathered[0]);
  free(store->gathered[1]);
  ARRAY_FREE(&store->undo);
  ARRAY_FREE(&store->dead);
  slab_free(&store->slab);
  free(store);
}

static TableStore *table_of(const Store *store, const Table *table) {
  assert(table->id < store->table_room && store->tables[table->id]);
  return store->tables[table->id];
}

static StoreIndex *index_of(const TableStore *table, const Index *index) {
  for (uint32_t i = 0; i < table->indexes.count; i++)
    if (table->indexes.items[i]->index == index) return table->indexes.items[i];
  return NULL;
}

void store_add_table(Store *store, const Table *table) {
  if (table->id >= store->table_room) {
    uint32_t room = store->table_room ? store->table_room * 2 : 16;
    while (room <= table->id) room *= 2;
    store->tables = memory_resize(store->tables, room * sizeof *store->tables);
    memset(store->tables + store->table_room, 0, (room - store->table_room) * sizeof *store->tables);
    store->table_room = room;
  }
  if (store->tables[table->id]) return;
  TableStore *added = memory_new(sizeof *added);
  added->table = table;
  added->next_rowid = 1;
  store->tables[table->id] = added;
  for (uint32_t i = 0; i < table->indexes.count; i++)
    if (!table->indexes.items[i]->is_dropped) store_add_index(store, table, table->indexes.items[i]);
}

static const Value *index_gather(Store *store, const StoreIndex *index, const Value *row, unsigned which) {
  if (index->column_count > store->gathered_room) {
    store->gathered_room = index->column_count;
    for (unsigned i = 0; i < 2; i++)
      store->gathered[i] = memory_resize(store->gathered[i], store->gathered_room * sizeof(Value));
  }
  for (uint32_t i = 0; i < index->column_count; i++) store->gathered[which][i] = row[index->columns[i]];
  return store->gathered[which];
}

static void index_change(Store *store, StoreIndex *index, const Value *row, Key *key, bool adds) {
  const Value *values = index_gather(store, index, row, 0);
  Ordered *tree = ordered_accepts(index->decided, values) ? index->decided : index->undecided;
  if (adds)
    ordered_add(tree, values, key);
  else if (!ordered_remove(tree, values, key))
    fatal("an index has lost an entry");
}

/* Whether the two rows share their entry in the index. */
static bool index_same(Store *store, const StoreIndex *index, const Value *a, const Value *b) {
  bool identical = true;
  for (uint32_t i = 0; i < index->column_count && identical; i++)
    identical = value_identical(a[index->columns[i]], b[index->columns[i]]);
  if (identical) return true;
  a = index_gather(store, index, a, 0);
  b = index_gather(store, index, b, 1);
  bool a_decided = ordered_accepts(index->decided, a), b_decided = ordered_accepts(index->decided, b);
  if (a_decided != b_decided) return false;
  return !a_decided || ordered_same(index->decided, a, b);
}

/* Whether a version from `from` on down to the oldest, but `except`, has the row's entry. */
static bool index_is_held(Store *store, const StoreIndex *index, const Version *from, const Version *except,
                          const Value *row) {
  for (const Version *version = from; version; version = version->older)
    if (version != except && !version->is_tombstone && index_same(store, index, version->values, row))
      return true;
  return false;
}

static void index_fill(Store *store, TableStore *table, StoreIndex *index) {
  for (uint32_t i = 0; i < table->key_count; i++)
    for (const Version *version = table->keys[i]->newest; version; version = version->older)
      if (!version->is_tombstone && !index_is_held(store, index, version->older, NULL, version->values))
        index_change(store, index, version->values, table->keys[i], true);
}

void store_add_index(Store *store, const Table *table, const Index *index) {
  TableStore *owner = table_of(store, table);
  if (index_of(owner, index)) return;
  StoreIndex *added = memory_new(sizeof *added);
  Type *types = memory_new((index->column_count + 1) * sizeof *types);
  added->index = index;
  added->column_count = index->column_count;
  added->columns = memory_new((index->column_count + 1) * sizeof *added->columns);
  for (uint32_t i = 0; i < index->column_count; i++) {
    added->columns[i] = index->columns[i];
    types[i] = table->columns[index->columns[i]].type;
  }
  added->decided = ordered_new(&store->slab, &store->schema->dialect, index->column_count, types);
  added->undecided = ordered_new(&store->slab, &store->schema->dialect, 0, types);
  free(types);
  ARRAY_PUSH(&owner->indexes, added);
  index_fill(store, owner, added);
}

void store_drop_index(Store *store, const Table *table, const Index *index) {
  TableStore *owner = table_of(store, table);
  for (uint32_t i = 0; i < owner->indexes.count; i++) {
    if (owner->indexes.items[i]->index != index) continue;
    index_free(owner->indexes.items[i]);
    owner->indexes.items[i] = owner->indexes.items[--owner->indexes.count];
    return;
  }
}

bool store_has_index(const Store *store, const Table *table, const Index *index) {
  return index_of(table_of(store, table), index) != NULL;
}

uint64_t store_undecided(const Store *store, const Table *table, const Index *index) {
  return ordered_count(index_of(table_of(store, table), index)->undecided);
}

/* ---- Keys and versions ------------------------------------------------------------ */

static Version *version_new(Store *store, const Table *table, const Value *values) {
  uint32_t count = values ? table->column_count : 0;
  size_t size = sizeof(Version) + count * sizeof *values;
  for (uint32_t i = 0; i < count; i++) size += value_extra(values[i]);
  Version *version = slab_new(&store->slab, size);
  *version = (Version){.writer = store->writer, .size = (uint32_t)size, .is_tombstone = !values};
  char *memory = (char *)(version->values + count);
  for (uint32_t i = 0; i < count; i++) version->values[i] = value_pack(values[i], &memory);
  return version;
}

static void version_free(Store *store, Version *version) {
  slab_release(&store->slab, version, version->size);
}

static Key *key_new(Store *store, TableStore *table, uint64_t rowid) {
  Key *key = slab_new(&store->slab, sizeof *key);
  *key = (Key){.rowid = rowid,
               .table = table->table->id,
               .position = table->key_count,
               .serial = ++store->next_serial};
  if (table->key_count == table->key_room) {
    table->key_room = table->key_room ? table->key_room * 2 : 16;
    table->keys = memory_resize(table->keys, table->key_room * sizeof *table->keys);
  }
  table->keys[table->key_count++] = key;
  return key;
}

static void key_free(Store *store, TableStore *table, Key *key) {
  Key *last = table->keys[--table->key_count];
  table->keys[key->position] = last;
  last->position = key->position;
  slab_release(&store->slab, key, sizeof *key);
}

/* S2: the entries of a version that is about to go, where no other one of its key holds them. */
static void version_unindex(Store *store, TableStore *table, Key *key, const Version *version) {
  if (version->is_tombstone) return;
  for (uint32_t i = 0; i < table->indexes.count; i++) {
    StoreIndex *index = table->indexes.items[i];
    if (!index_is_held(store, index, key->newest, version, version->values))
      index_change(store, index, version->values, key, false);
  }
}

static void key_push(Store *store, TableStore *table, Key *key, Version *version, uint64_t rowid_before,
                     uint64_t next_rowid_before) {
  bool was_deleted = key->newest && key->newest->is_tombstone;
  if (!version->is_tombstone)
    for (uint32_t i = 0; i < table->indexes.count; i++)
      if (!index_is_held(store, table->indexes.items[i], key->newest, NULL, version->values))
        index_change(store, table->indexes.items[i], version->values, key, true);
  version->older = key->newest;
  key->newest = version;
  table->deleted_count += (uint32_t)version->is_tombstone - (uint32_t)was_deleted;
  ARRAY_PUSH(&store->undo,
             (Undo){.key = key, .version = version, .number = rowid_before, .next_rowid = next_rowid_before});
}

/* The opposite of key_push. */
static void key_pop(Store *store, const Undo *undo) {
  Key *key = undo->key;
  TableStore *table = store->tables[key->table];
  Version *version = key->newest;
  assert(version == undo->version); /* S3 */
  version_unindex(store, table, key, version);
  key->newest = version->older;
  bool is_deleted = key->newest && key->newest->is_tombstone;
  table->deleted_count += (uint32_t)is_deleted - (uint32_t)version->is_tombstone;
  version_free(store, version);
  table->next_rowid = undo->next_rowid;
  key->rowid = undo->number;
  if (!key->newest) key_free(store, table, key);
}

/* What no reader can see any more: every version but the newest.  True: nothing is left, the key itself may
 * go. */
static bool key_forget(Store *store, TableStore *table, Key *key) {
  Version *newest = key->newest;
  while (newest->older) {
    Version *version = newest->older;
    version_unindex(store, table, key, version);
    newest->older = version->older;
    version_free(store, version);
  }
  return newest->is_tombstone;
}

/* ---- Transactions -------------------------------------------------------------------- */

void store_begin(Store *store, uint32_t writer) { store->writer = writer; }

void store_keep_history(Store *store, bool keep) { store->keeps_history = keep; }

void store_commit(Store *store) {
  /* Backwards: of several versions of one key the newest comes first and frees the others. */
  for (uint32_t i = store->keeps_history ? 0 : store->undo.count; i > 0; i--) {
    const Undo *undo = &store->undo.items[i - 1];
    if (!undo->key || undo->key->newest != undo->version) continue;
    if (key_forget(store, store->tables[undo->key->table], undo->key)) ARRAY_PUSH(&store->dead, undo->key);
  }
  for (uint32_t i = 0; i < store->dead.count; i++) {
    Key *key = store->dead.items[i];
    TableStore *table = store->tables[key->table];
    table->deleted_count--;
    version_free(store, key->newest);
    key_free(store, table, key);
  }
  store->dead.count = 0;
  store->undo.count = 0;
}

UndoMark store_mark(const Store *store) { return store->undo.count; }

void store_undo(Store *store, UndoMark mark) {
  while (store->undo.count > mark) {
    Undo undo = store->undo.items[--store->undo.count];
    if (undo.key)
      key_pop(store, &undo);
    else
      undo.call(undo.context, undo.object, undo.number);
  }
}

void store_push_undo(Store *store, void (*undo)(void *context, void *object, uint64_t number), void *context,
                     void *object, uint64_t number) {
  ARRAY_PUSH(&store->undo, (Undo){.call = undo, .context = context, .object = object, .number = number});
}

/* ---- Writes ----------------------------------------------------------------------------- */

/* A key of the same primary key that is deleted but not forgotten: the row is that key again. */
static Key *key_find_deleted(Store *store, TableStore *table, const Value *values) {
  if (!table->deleted_count || table->table->primary < 0) return NULL;
  StoreIndex *index = index_of(table, table->table->indexes.items[table->table->primary]);
  if (!index) return NULL;
  const Value *gathered = index_gather(store, index, values, 1);
  if (!ordered_accepts(index->decided, gathered)) return NULL;
  IndexCursor cursor = {.range = {.equal = gathered, .equal_count = index->column_count}};
  ordered_seek(index->decided, &cursor.range, &cursor);
  for (Key *key; (key = ordered_next(index->decided, &cursor));)
    if (key->newest->is_tombstone) return key;
  return NULL;
}

Key *store_insert(Store *store, const Table *table, const Value *values, uint64_t rowid) {
  TableStore *owner = table_of(store, table);
  uint64_t next_rowid = owner->next_rowid;
  if (!rowid) rowid = next_rowid;
  if (rowid >= next_rowid && (int64_t)rowid > 0) owner->next_rowid = rowid + 1;
  Key *key = key_find_deleted(store, owner, values);
  uint64_t before = key ? key->rowid : rowid;
  if (key)
    key->rowid = rowid;
  else
    key = key_new(store, owner, rowid);
  key_push(store, owner, key, version_new(store, table, values), before, next_rowid);
  return key;
}

void store_update(Store *store, const Table *table, Key *key, const Value *values) {
  TableStore *owner = table_of(store, table);
  key_push(store, owner, key, version_new(store, table, values), key->rowid, owner->next_rowid);
}

void store_delete(Store *store, const Table *table, Key *key) {
  TableStore *owner = table_of(store, table);
  key_push(store, owner, key, version_new(store, table, NULL), key->rowid, owner->next_rowid);
}

/* ---- Reads -------------------------------------------------------------------------------- */

uint64_t store_largest_rowid(const Store *store, const Table *table) {
  TableStore *owner = table_of(store, table);
  if (table->rowid_column < 0 || table->primary < 0) return owner->next_rowid - 1;
  IndexCursor cursor;
  store_seek(store, table, table->indexes.items[table->primary], &(IndexRange){.descending = true}, &cursor);
  for (Key *key; (key = store_next(&cursor));) {
    const Version *version = store_read(store, key, READ_KEY_CHECK);
    if (version && version->values[table->rowid_column].kind == VALUE_INT)
      return version->values[table->rowid_column].natural;
  }
  return 0;
}

uint32_t store_key_count(const Store *store, const Table *table) { return table_of(store, table)->key_count; }

Key *store_key_at(const Store *store, const Table *table, uint32_t position) {
  return table_of(store, table)->keys[position];
}

void store_seek(const Store *store, const Table *table, const Index *index, const IndexRange *range,
                IndexCursor *cursor) {
  StoreIndex *found = index_of(table_of(store, table), index);
  assert(found);
  cursor->index = found;
  cursor->in_undecided = false;
  cursor->range = *range;
  ordered_seek(found->decided, range, cursor);
}

/* Of a key's entries only that of its newest version counts: the reader sees no other. */
static bool entry_is_current(const StoreIndex *index, const IndexCursor *cursor, const Key *key) {
  const Version *newest = key->newest;
  if (!newest->older) return true;
  if (newest->is_tombstone) return false;
  Value values[index->column_count + 1];
  for (uint32_t i = 0; i < index->column_count; i++) values[i] = newest->values[index->columns[i]];
  if (ordered_accepts(index->decided, values) == cursor->in_undecided) return false;
  return cursor->in_undecided || ordered_is_at(index->decided, cursor, values);
}

Key *store_next(IndexCursor *cursor) {
  const StoreIndex *index = cursor->index;
  for (;;) {
    Key *key = ordered_next(cursor->in_undecided ? index->undecided : index->decided, cursor);
    if (!key) {
      if (cursor->in_undecided || ordered_count(index->undecided) == 0) return NULL;
      cursor->in_undecided = true;
      cursor->range = (IndexRange){0};
      ordered_seek(index->undecided, &cursor->range, cursor);
    } else if (entry_is_current(index, cursor, key))
      return key;
  }
}

uint64_t store_bytes(const Store *store) {
  uint64_t bytes = store->slab.bytes;
  for (uint32_t i = 0; i < store->table_room; i++) {
    const TableStore *table = store->tables[i];
    if (!table) continue;
    bytes += table->key_room * sizeof *table->keys;
    for (uint32_t k = 0; k < table->indexes.count; k++)
      bytes +=
          ordered_bytes(table->indexes.items[k]->decided) + ordered_bytes(table->indexes.items[k]->undecided);
  }
  return bytes;
}
