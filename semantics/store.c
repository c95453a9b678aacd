/* store.c: tables of keys, chains of versions, and the undo log.
 *
 * Every write pushes one version onto its key and one line onto the undo log; undoing pops both.
 * Committing forgets what the new versions supersede, in key_forget and nowhere else. */
#include "semantics/store_internal.h"

/* ---- Tables ----------------------------------------------------------------- */

Store *store_new(Schema *schema) {
  Store *store = memory_new(sizeof *store);
  store->schema = schema;
  slab_init(&store->slab);
  return store;
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
  ARRAY_FREE(&store->guarded);
  slab_free(&store->slab);
  free(store);
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

void version_free(Store *store, Version *version) {
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

void key_free(Store *store, TableStore *table, Key *key) {
  Key *last = table->keys[--table->key_count];
  table->keys[key->position] = last;
  last->position = key->position;
  slab_release(&store->slab, key, sizeof *key);
}

/* S2: the entries of a version that is about to go, where no other one of its key holds them. */
void version_unindex(Store *store, TableStore *table, Key *key, const Version *version) {
  if (version->is_tombstone) return;
  for (uint32_t i = 0; i < table->indexes.count; i++) {
    StoreIndex *index = table->indexes.items[i];
    if (!index_is_held(store, index, key->newest, version, version->values))
      index_change(store, index, version->values, key, false);
  }
}

/* A key begins or ends to show: the largest row id may change. */
static void rowid_shown(TableStore *table, const Key *key, bool shows) {
  if (!shows && key->rowid == table->largest_rowid) table->largest_is_known = false;
  if (shows && (int64_t)key->rowid > (int64_t)table->largest_rowid) table->largest_rowid = key->rowid;
}

static uint64_t rowid_largest(TableStore *table) {
  if (table->largest_is_known) return table->largest_rowid;
  int64_t largest = 0;
  for (uint32_t i = 0; i < table->key_count; i++) {
    const Key *key = table->keys[i];
    if (key->newest && !key->newest->is_tombstone && (int64_t)key->rowid > largest)
      largest = (int64_t)key->rowid;
  }
  table->largest_is_known = true;
  return table->largest_rowid = (uint64_t)largest;
}

/* SQLite allows NULL in primary keys: such a row is like no other. */
bool row_has_null_key(const Table *table, const Value *values) {
  if (table->primary < 0) return false;
  const Index *primary = table->indexes.items[table->primary];
  for (uint32_t i = 0; i < primary->column_count; i++)
    if (values[primary->columns[i]].kind == VALUE_NULL) return true;
  return false;
}

void digest_change(Store *store, const TableStore *table, const Key *key, const Version *version) {
  if (!store->keeps_undo || !version || version->is_tombstone) return;
  uint64_t first = hash_mix(table->table->id, version->guard), second = ~first;
  if (table->table->primary < 0 || row_has_null_key(table->table, version->values))
    first = hash_mix(first, key->rowid), second = hash_mix(second, key->rowid);
  for (uint32_t i = 0; i < table->table->column_count; i++) {
    uint64_t value = value_digest(version->values[i]);
    first = hash_mix(first, value);
    second = hash_mix(second, ~value);
  }
  store->digest.halves[0] ^= first;
  store->digest.halves[1] ^= second;
}

StoreDigest store_digest(const Store *store) { return store->digest; }

static void key_push(Store *store, TableStore *table, Key *key, Version *version, uint64_t rowid_before,
                     uint64_t next_rowid_before) {
  bool was_deleted = key->newest && key->newest->is_tombstone;
  if (!version->is_tombstone)
    for (uint32_t i = 0; i < table->indexes.count; i++)
      if (!index_is_held(store, table->indexes.items[i], key->newest, NULL, version->values))
        index_change(store, table->indexes.items[i], version->values, key, true);
  digest_change(store, table, key, key->newest);
  digest_change(store, table, key, version);
  version->older = key->newest;
  key->newest = version;
  table->deleted_count += (uint32_t)version->is_tombstone - (uint32_t)was_deleted;
  rowid_shown(table, key, !version->is_tombstone);
  ARRAY_PUSH(&store->undo,
             (Undo){.key = key, .version = version, .number = rowid_before, .next_rowid = next_rowid_before});
}

/* The opposite of key_push. */
static void key_pop(Store *store, const Undo *undo) {
  Key *key = undo->key;
  TableStore *table = store->tables[key->table];
  Version *version = key->newest;
  assert(version == undo->version); /* S3 */
  if (store->guarded.count && store->guarded.items[store->guarded.count - 1].version == version)
    store->guarded.count--;
  version_unindex(store, table, key, version);
  digest_change(store, table, key, version);
  digest_change(store, table, key, version->older);
  key->newest = version->older;
  bool is_deleted = key->newest && key->newest->is_tombstone;
  table->deleted_count += (uint32_t)is_deleted - (uint32_t)version->is_tombstone;
  version_free(store, version);
  table->next_rowid = undo->next_rowid;
  rowid_shown(table, key, false);
  key->rowid = undo->number;
  if (key->newest && !is_deleted) rowid_shown(table, key, true);
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

void store_begin(Store *store, uint32_t writer) {
  store->writer = writer;
  store->begun = store->undo.count;
}

void store_keep_history(Store *store, bool keep) { store->keeps_history = keep; }

void store_keep_undo(Store *store) {
  store->keeps_undo = true;
  store->undo.count = 0;
}

void store_keep_writes(Store *store) {
  store->keeps_writes = true;
  store->undo.count = 0;
}

UndoMark store_begun(const Store *store) { return store->begun; }

void store_rollback(Store *store) { store_undo(store, store->begun); }
bool store_keeps_history(const Store *store) { return store->keeps_history; }

void store_set_view(Store *store, const StoreView *view) { store->view = view; }

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
  if (!store->keeps_undo && !store->keeps_writes) store->undo.count = 0;
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

void store_push_guess(Store *store, void (*undo)(void *context, void *object, uint64_t number), void *context,
                      void *object, uint64_t number) {
  store_push_undo(store, undo, context, object, number);
  store->undo.items[store->undo.count - 1].is_guess = true;
}

/* ---- Writes ----------------------------------------------------------------------------- */

static Key *key_find(Store *store, TableStore *table, const Value *values, bool is_deleted) {
  if (table->table->primary < 0) return NULL;
  StoreIndex *index = index_of(table, table->table->indexes.items[table->table->primary]);
  if (!index || row_has_null_key(table->table, values)) return NULL;
  const Value *gathered = index_gather(store, index, values, 1);
  if (!ordered_accepts(index->decided, gathered)) return NULL;
  IndexCursor cursor = {.range = {.equal = gathered, .equal_count = index->column_count}};
  ordered_seek(index->decided, &cursor.range, &cursor);
  for (Key *key; (key = ordered_next(index->decided, &cursor));)
    if (key->newest->is_tombstone || !is_deleted) return key;
  return NULL;
}

/* A key of the same primary key that is deleted but not forgotten: the row is that key again.  In a view the
 * caller has seen that there is no row; some version of the key may be newer or hold under a guard. */
static Key *key_find_deleted(Store *store, TableStore *table, const Value *values) {
  if (!store->view && !table->deleted_count) return NULL;
  return key_find(store, table, values, !store->view);
}

Key *store_insert(Store *store, const Table *table, const Value *values, uint64_t rowid) {
  TableStore *owner = table_of(store, table);
  uint64_t next_rowid = owner->next_rowid;
  bool reuses = dialect_is_sqlite(&store->schema->dialect);
  if (!rowid) rowid = reuses ? rowid_largest(owner) + 1 : next_rowid;
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

/* ---- Guarded writes ------------------------------------------------------------------------ */

/* Did the statement since `mark` make this key?  The running transaction's versions are the newest: one of another's ends
 * the search, however long the key's history is. */
static bool key_is_new(const Store *store, UndoMark mark, const Key *key) {
  const Version *oldest = key->newest;
  while (oldest->older && oldest->writer == store->writer) oldest = oldest->older;
  if (oldest->writer != store->writer) return false;
  for (uint32_t i = mark; i < store->undo.count; i++)
    if (store->undo.items[i].key == key && store->undo.items[i].version == oldest) return true;
  return false;
}

bool store_writes(const Store *store, UndoMark mark, StoreWrites *writes) {
  bool is_all = true;
  for (uint32_t i = mark; i < store->undo.count; i++) {
    const Undo *undo = &store->undo.items[i];
    if (!undo->key && !undo->is_guess) is_all = false;
    if (!undo->key || undo->key->newest != undo->version) continue;
    StoreWrite write = {.key = undo->key,
                        .is_new = key_is_new(store, mark, undo->key),
                        .table = store->tables[undo->key->table]->table,
                        .rowid = undo->key->rowid,
                        .version = undo->version};
    if (!write.is_new || !undo->version->is_tombstone) ARRAY_PUSH(writes, write);
  }
  return is_all;
}

Key *store_put(Store *store, const Table *table, Key *key, const Value *values, uint64_t rowid,
               uint32_t guard) {
  TableStore *owner = table_of(store, table);
  uint64_t next_rowid = owner->next_rowid;
  if (rowid >= next_rowid && (int64_t)rowid > 0) owner->next_rowid = rowid + 1;
  if (!key && values) key = key_find(store, owner, values, false);
  if (!key) key = key_new(store, owner, rowid);
  Version *version = version_new(store, table, values);
  version->guard = guard;
  key_push(store, owner, key, version, key->rowid, next_rowid);
  if (guard) ARRAY_PUSH(&store->guarded, (Guarded){key, version});
  return key;
}

/* ---- Reads -------------------------------------------------------------------------------- */

uint64_t store_largest_rowid(const Store *store, const Table *table) {
  TableStore *owner = table_of(store, table);
  if (table->rowid_column < 0 || table->primary < 0) return rowid_largest(owner);
  IndexCursor cursor;
  store_seek(store, table, table->indexes.items[table->primary], &(IndexRange){.descending = true},
             READ_KEY_CHECK, &cursor);
  for (Key *key; (key = store_next(&cursor));) {
    const Version *version = store_read(store, key, READ_KEY_CHECK);
    if (version && version->values[table->rowid_column].kind == VALUE_INT)
      return version->values[table->rowid_column].natural;
  }
  return 0;
}

bool versions_show_same(const Version *a, const Version *b, uint32_t column_count) {
  bool shows = a && !a->is_tombstone;
  if (shows != (b && !b->is_tombstone)) return false;
  for (uint32_t i = 0; shows && a != b && i < column_count; i++)
    if (!value_identical(a->values[i], b->values[i])) return false;
  return true;
}

const Table *store_table(const Store *store, const Key *key) { return store->tables[key->table]->table; }

uint32_t store_column_count(const Store *store, const Key *key) {
  return store->tables[key->table]->table->column_count;
}

uint32_t store_key_count(const Store *store, const Table *table) { return table_of(store, table)->key_count; }

Key *store_key_at(const Store *store, const Table *table, uint32_t position) {
  return table_of(store, table)->keys[position];
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
