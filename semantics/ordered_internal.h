/* ordered_internal.h: the nodes of an ordered index, and how entries compare. */
#ifndef ALIBI_SEMANTICS_ORDERED_INTERNAL_H
#define ALIBI_SEMANTICS_ORDERED_INTERNAL_H

#include "semantics/operate.h"
#include "semantics/ordered.h"

enum { NODE_ROOM = 48, NODE_FEW = NODE_ROOM / 4 };

typedef struct Node {
  uint32_t count;
  bool is_leaf;
  struct Node *previous, *next; /* leaves */
  Key *keys[NODE_ROOM];
  Value *values[NODE_ROOM];
  struct Node **children; /* inner nodes: behind the words */
  int64_t words[];
} Node;

struct Ordered {
  Slab *slab; /* borrowed: values of entries */
  const Dialect *dialect;
  uint32_t column_count;
  uint32_t word_count; /* leading columns that have words */
  uint64_t count;
  uint64_t bytes;
  Node *root; /* owned; never NULL */
  Type types[];
};

/* What entries are compared with: leading columns, and the key's serial if it takes part. */
typedef struct Probe {
  const Value *equal;
  uint32_t equal_count;
  const Value *bound; /* of the column after these, or NULL */
  uint32_t count;     /* equal_count, and one for the bound */
  const Key *key;     /* or NULL: every key compares equal */
  uint32_t exact;     /* bit per column */
  int64_t words[INDEX_WORDS];
} Probe;

Probe probe_new(const Ordered *ordered, const Value *equal, uint32_t equal_count, const Value *bound, const Key *key);
Value entry_value(const Ordered *ordered, const Node *node, uint32_t place, uint32_t column);
/* The sign of entry minus probe. */
int entry_compare(const Ordered *ordered, const Node *node, uint32_t place, const Probe *probe);
/* The first place from `from` on whose entry is not below the probe; after: above it. */
uint32_t node_search(const Ordered *ordered, const Node *node, uint32_t from, const Probe *probe, bool after);
/* The child that holds the first entry not below (after: above) the probe, or the one before it. */
uint32_t node_child(const Ordered *ordered, const Node *node, const Probe *probe, bool after);

#endif
