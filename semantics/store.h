/* store.h: the version store: rows by key, each key with its versions, newest first.
 *
 * A key is a row: (table, primary key), or (table, hidden row id).  A version
 * names its writer (a transaction's number), carries a guard (0: certain) and
 * the row, or is a tombstone.  Indexes map values to the keys that have any live version
 * holding them; a reader checks the version it sees.
 *
 * S1  A key's versions are newest first; a transaction's own uncommitted version is the newest.
 * S2  Every index of a table has, for each live version that is no tombstone, an entry with its values.
 * S3  The undo log since a mark, undone backwards, restores the store exactly.
 *
 * Rows own their text: a version is one block of memory.
 *
 * With history kept, a version with a guard holds only where the guard does; where it does not, the older ones
 * count.  Which versions a reader sees is its view's business. */
#ifndef ALIBI_SEMANTICS_STORE_H
#define ALIBI_SEMANTICS_STORE_H

#include "src/base/array.h"
#include "src/base/value.h"
#include "src/sql/schema.h"

typedef struct Version {
  struct Version *older;
  uint32_t writer;     /* 0: the initial state */
  uint32_t guard;      /* 0: certain */
  uint32_t size;       /* bytes of this block */
  uint32_t together;   /* of so many versions, from this one on to older ones, exactly one holds; 0: nothing is known */
  bool is_tombstone;
  bool is_moved; /* a tombstone: the row lives on under another key */
  bool is_void;  /* its guard is known not to hold */
  Value values[]; /* column_count of the table */
} Version;

typedef struct Key {
  Version *newest;
  uint64_t rowid;      /* hidden row id; sqlite's rowid */
  uint32_t table;      /* table id */
  uint32_t position;   /* in the table's list of keys */
  uint64_t serial;     /* its place among all keys ever made: tells equal entries of an index apart */
} Key;

/* Why a row is read: levels answer differently by it. */
typedef enum ReadPurpose {
  READ_PLAIN,           /* SELECT, its subqueries, cursors */
  READ_FIND_TARGET,     /* UPDATE, DELETE, FOR UPDATE: finding rows */
  READ_RECHECK_TARGET,  /* the row again, under its lock */
  READ_RECHECK_SHARED,  /* the same under FOR KEY SHARE, which lets others change the row */
  READ_KEY_CHECK,       /* uniqueness; rows that still refer to one that goes */
  READ_PARENT,          /* the row that is referred to, which must be there ... */
  READ_PARENT_NOW,      /* ... and still be there */
  READ_CONFLICT,        /* the row in the way of an upsert */
  READ_CONFLICT_SKIP,   /* the row in the way of an INSERT that then does nothing */
  READ_INSERT_SELECT,   /* the query of INSERT ... SELECT */
  READ_UPDATE_SUBQUERY, /* subqueries of an UPDATE of one table */
  READ_INSIDE_WRITE,    /* every other read of a statement that writes */
  READ_CONDITION,       /* subqueries of SET, IF, WHILE, DECLARE ... DEFAULT */
  READ_PURPOSES
} ReadPurpose;

typedef struct Store Store;
typedef uint32_t UndoMark;

/* What a reader sees where older versions are kept. Without a view it is the newest version of each key. */
typedef struct StoreView {
  const Version *(*read)(void *context, const Key *key, ReadPurpose purpose); /* NULL: no row */
  void (*step)(void *context);                                                /* a read step begins */
  void *context;
} StoreView;

Store *store_new(Schema *schema);
void store_free(Store *store);
void store_add_table(Store *store, const Table *table); /* and its indexes; empty */
void store_add_index(Store *store, const Table *table, const Index *index); /* fills it from the live versions */
void store_drop_index(Store *store, const Table *table, const Index *index);

/* Transactions: everything since store_begin is undone or becomes committed. */
void store_begin(Store *store, uint32_t writer);
void store_commit(Store *store); /* forgets superseded versions and deleted keys, unless history is kept */
void store_keep_history(Store *store, bool keep); /* off by default */
/* From now on committed writes can be undone too, back to any mark; and the digest is kept. */
void store_keep_undo(Store *store);
/* From now on it is remembered which keys were written, for store_forget_past; undo that is kept does as well. */
void store_keep_writes(Store *store);
/* Everything up to now is settled: of each key written since the last time only the version that shows is left, written by 0,
 * and nothing before now can be undone.  `holds` tells of guards in doubt.  Keys without a row stay, showing nothing, until
 * they are buried. */
void store_forget_past(Store *store, bool (*holds)(void *context, uint32_t guard), void *context);
void store_bury(Store *store);
UndoMark store_begun(const Store *store); /* where the running transaction begins */
void store_rollback(Store *store);          /* to there */
/* Stands for the newest version of every key: equal contents, equal digest. */
typedef struct StoreDigest {
  uint64_t halves[2];
} StoreDigest;
StoreDigest store_digest(const Store *store);
bool store_keeps_history(const Store *store);
UndoMark store_mark(const Store *store);
void store_undo(Store *store, UndoMark mark);
/* Other things that can be undone (DDL, sequences): called on undo, in reverse order. */
void store_push_undo(Store *store, void (*undo)(void *context, void *object, uint64_t number), void *context, void *object, uint64_t number);
/* ... where it is only a guess at what comes next: no definition, no setting. */
void store_push_guess(Store *store, void (*undo)(void *context, void *object, uint64_t number), void *context, void *object, uint64_t number);

/* Writes. `values` are copied. A key given rowid 0 gets the next hidden row id: in sqlite the one above all present ones. */
Key *store_insert(Store *store, const Table *table, const Value *values, uint64_t rowid);
void store_update(Store *store, const Table *table, Key *key, const Value *values); /* primary key unchanged */
void store_delete(Store *store, const Table *table, Key *key);
uint64_t store_largest_rowid(const Store *store, const Table *table);

/* Reads: the row a key shows to the running transaction, or NULL. */
void store_set_view(Store *store, const StoreView *view); /* borrowed; NULL: the newest versions */
static inline const StoreView *store_view(const Store *store) { return *(const StoreView *const *)store; }
static inline const Version *store_read(const Store *store, const Key *key, ReadPurpose purpose) {
  const StoreView *view = store_view(store);
  if (view) return view->read(view->context, key, purpose);
  return key->newest && !key->newest->is_tombstone ? key->newest : NULL;
}
/* Each statement, also inside a procedure, is a read step; opening a cursor too. */
static inline void store_step(const Store *store) {
  const StoreView *view = store_view(store);
  if (view) view->step(view->context);
}

/* ---- Versions under guards: what a statement wrote in one of several ways it may have run. ---- */

/* What one way of running wrote to a key since a mark. */
typedef struct StoreWrite {
  Key *key;
  bool is_new; /* made since the mark: gone when that is undone */
  const Table *table;
  uint64_t rowid;
  const Version *version; /* until undone */
} StoreWrite;
typedef ARRAY(StoreWrite) StoreWrites;
/* Appends them. False: something else was changed as well (a definition, a setting). */
bool store_writes(const Store *store, UndoMark mark, StoreWrites *writes);
/* A version that holds under a guard. `key` NULL: of the key with this primary key or, without one, a new one.
 * `values` NULL: a tombstone. */
Key *store_put(Store *store, const Table *table, Key *key, const Value *values, uint64_t rowid, uint32_t guard);

/* The versions with a guard, oldest first, by number; those that were decided since are among them. */
uint32_t store_guarded_count(const Store *store);
const Version *store_guarded(const Store *store, uint32_t number);
/* The guard of one is known: the version is certain from now on, or void.  Undone like a write. */
void store_decide(Store *store, uint32_t number, bool holds);
uint32_t store_decided_count(const Store *store); /* those that are not undone */

static inline bool version_shows(const Version *version) { return version && !version->is_tombstone; }
bool row_has_null_key(const Table *table, const Value *values);
/* Whether two versions (NULL: none) show the same row, or none. */
bool versions_show_same(const Version *a, const Version *b, uint32_t column_count);

/* Scans: every key of a table, in no promised order; stable under inserts during
 * the scan (keys added meanwhile may or may not show: callers collect first). */
uint32_t store_column_count(const Store *store, const Key *key);
const Table *store_table(const Store *store, const Key *key);
uint32_t store_key_count(const Store *store, const Table *table);
Key *store_key_at(const Store *store, const Table *table, uint32_t position);

/* Index access: keys whose indexed columns begin with `equal` (count may be less than the index's),
 * and whose next column lies in the bounds. Ordered by the index's columns. */
typedef struct IndexRange {
  const Value *equal;
  uint32_t equal_count;
  const Value *lower, *upper; /* of the column after the equal ones; NULL: open */
  bool lower_open, upper_open; /* strict */
  bool descending;
} IndexRange;

enum { INDEX_WORDS = 4 }; /* leading columns of an index that are compared as integers: ordered.h */

typedef struct IndexCursor { /* on the caller's stack; invalid after a write to the table */
  const void *node; /* the next entry */
  uint32_t place;
  uint32_t last_place; /* the entry given last */
  const void *last_node;
  const void *index;
  const Store *store;
  ReadPurpose purpose; /* of the reads that follow: a key is given once, by the entry of the version they see */
  bool in_undecided; /* the decided entries are through; now those whose values have no order */
  bool is_scan;      /* every entry is looked at, and given if it is in the range */
  uint32_t exact;    /* of `words` */
  int64_t words[INDEX_WORDS]; /* of the far end of the range */
  IndexRange range;
} IndexCursor;

void store_seek(const Store *store, const Table *table, const Index *index, const IndexRange *range, ReadPurpose purpose,
                IndexCursor *cursor);
Key *store_next(IndexCursor *cursor); /* NULL: no more */
/* The key that holds these values in a unique index, whatever of it can be seen, or NULL. */
Key *store_find(const Store *store, const Table *table, const Index *index, const Value *values);
/* Entries without a place in the index's order (a value in doubt, a collation that is not modelled): every seek gives them too,
 * after the others, so the order of a seek holds only where there are none. */
uint64_t store_undecided(const Store *store, const Table *table, const Index *index);
bool store_has_index(const Store *store, const Table *table, const Index *index);
/* Without seeks every lookup of a query goes through all entries, in the index's order, and compares each. */
void store_forbid_seeks(Store *store, bool forbids);
/* What seeks did: how many there were, how many lookups the index could not answer, entries not looked at. */
typedef struct SeekStats {
  uint64_t seeks, refused, spared;
} SeekStats;
SeekStats store_seek_stats(const Store *store);
void store_seek_refused(Store *store);

/* Total order of values inside an index and for sorting rows that are alike: NULL first, numbers by value, text by the
 * column's collation, ...  Provided by semantics/compare.h: value_order. */

uint64_t store_bytes(const Store *store);

#endif
