/* ordered_seek.c: looking into an ordered index: comparison, search and cursors. */
#include "semantics/ordered_internal.h"

#include "semantics/ordered_word.h"

bool type_takes(Type type, ValueKind kind) {
  bool is_number = kind >= VALUE_INT && kind <= VALUE_DOUBLE;
  switch (type.kind) {
  case TYPE_DYNAMIC: return is_number || kind == VALUE_TEXT || kind == VALUE_BLOB;
  case TYPE_BOOL: return kind == VALUE_BOOL;
  case TYPE_INT:
  case TYPE_DECIMAL:
  case TYPE_FLOAT:
  case TYPE_DOUBLE: return is_number;
  case TYPE_DATE: return kind == VALUE_DATE;
  case TYPE_TIME: return kind == VALUE_TIME;
  case TYPE_TIMESTAMP:
  case TYPE_TIMESTAMPTZ: return kind == VALUE_TIMESTAMP;
  case TYPE_CHAR:
  case TYPE_VARCHAR:
  case TYPE_TEXT:
  case TYPE_UUID: return kind == VALUE_TEXT;
  case TYPE_BLOB: return kind == VALUE_BLOB;
  default: return false;
  }
}

bool ordered_accepts(const Ordered *ordered, const Value *values) {
  for (uint32_t i = 0; i < ordered->column_count; i++) {
    if (values[i].kind == VALUE_NULL) continue;
    if (!type_takes(ordered->types[i], values[i].kind)) return false;
    if (values[i].kind == VALUE_TEXT && !value_is_orderable(ordered->dialect, ordered->types[i], values[i]))
      return false;
  }
  return true;
}

bool ordered_same(const Ordered *ordered, const Value *a, const Value *b) {
  for (uint32_t i = 0; i < ordered->column_count; i++) {
    if (a[i].kind == VALUE_INT && b[i].kind == VALUE_INT) {
      if (a[i].integer != b[i].integer) return false;
    } else if (value_order(ordered->dialect, ordered->types[i], a[i], b[i]))
      return false;
  }
  return true;
}

/* ---- Comparing -------------------------------------------------------------- */

static const Value *probe_value(const Probe *probe, uint32_t column) {
  return column < probe->equal_count ? &probe->equal[column] : probe->bound;
}

Probe probe_new(const Ordered *ordered, const Value *equal, uint32_t equal_count, const Value *bound,
                const Key *key) {
  Probe probe = {.equal = equal, .equal_count = equal_count, .bound = bound, .key = key};
  probe.count = equal_count + (bound != NULL);
  for (uint32_t i = 0; i < probe.count && i < ordered->word_count; i++) {
    bool is_exact;
    probe.words[i] = word_of(ordered->types[i], *probe_value(&probe, i), &is_exact);
    probe.exact |= (uint32_t)is_exact << i;
  }
  return probe;
}

Value entry_value(const Ordered *ordered, const Node *node, uint32_t place, uint32_t column) {
  if (node->values[place]) return node->values[place][column];
  return word_value(ordered->types[column], node->words[place * ordered->word_count + column]);
}

static inline int compare(const Ordered *ordered, const Node *node, uint32_t place, const Probe *probe) {
  const int64_t *words = &node->words[place * ordered->word_count];
  const Value *values = node->values[place];
  for (uint32_t i = 0; i < probe->count; i++) {
    if (i < ordered->word_count) {
      if (words[i] != probe->words[i]) return words[i] < probe->words[i] ? -1 : 1;
      if (!values && probe->exact >> i & 1) continue; /* O1, O2 */
    }
    int sign = value_order(ordered->dialect, ordered->types[i], entry_value(ordered, node, place, i),
                           *probe_value(probe, i));
    if (sign) return sign;
  }
  if (!probe->key) return 0;
  uint64_t serial = node->keys[place]->serial;
  return serial < probe->key->serial ? -1 : serial > probe->key->serial;
}

int entry_compare(const Ordered *ordered, const Node *node, uint32_t place, const Probe *probe) {
  return compare(ordered, node, place, probe);
}

uint32_t node_search(const Ordered *ordered, const Node *node, uint32_t from, const Probe *probe,
                     bool after) {
  uint32_t low = from, high = node->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (compare(ordered, node, middle, probe) < (after ? 1 : 0))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t node_child(const Ordered *ordered, const Node *node, const Probe *probe, bool after) {
  return node_search(ordered, node, 1, probe, after) - 1;
}

/* ---- Cursors ------------------------------------------------------------------------ */

/* The leaf and the place of the first entry not below (after: above) the probe; the place may be one too far.
 */
static const Node *leaf_find(const Ordered *ordered, const Probe *probe, bool after, uint32_t *place) {
  const Node *node = ordered->root;
  while (!node->is_leaf) node = node->children[node_child(ordered, node, probe, after)];
  *place = node_search(ordered, node, 0, probe, after);
  return node;
}

void ordered_seek(const Ordered *ordered, const IndexRange *range, IndexCursor *cursor) {
  const Value *near = range->descending ? range->upper : range->lower;
  const Value *far = range->descending ? range->lower : range->upper;
  Probe probe = probe_new(ordered, range->equal, range->equal_count, near, NULL);
  bool after = range->descending ? !(near && range->upper_open) : near && range->lower_open;
  uint32_t place;
  const Node *node = leaf_find(ordered, &probe, after, &place);
  if (range->descending) { /* one before that */
    if (place == 0 && (node = node->previous)) place = node->count;
    place--;
  } else if (place == node->count) {
    node = node->next;
    place = 0;
  }
  if (near || far) probe = probe_new(ordered, range->equal, range->equal_count, far, NULL);
  cursor->is_scan = false;
  cursor->node = node;
  cursor->place = place;
  cursor->exact = probe.exact;
  memcpy(cursor->words, probe.words, sizeof cursor->words);
}

/* Is the entry not beyond the far end? */
static bool cursor_is_inside(const Ordered *ordered, const IndexCursor *cursor) {
  const IndexRange *range = &cursor->range;
  Probe probe = {.equal = range->equal, .equal_count = range->equal_count, .exact = cursor->exact};
  probe.bound = range->descending ? range->lower : range->upper;
  probe.count = range->equal_count + (probe.bound != NULL);
  if (!probe.count) return true;
  memcpy(probe.words, cursor->words, sizeof probe.words);
  int sign = entry_compare(ordered, cursor->node, cursor->place, &probe);
  if (!probe.bound) return sign == 0;
  if (range->descending) return sign > 0 || (sign == 0 && !range->lower_open);
  return sign < 0 || (sign == 0 && !range->upper_open);
}

static void cursor_advance(IndexCursor *cursor) {
  const Node *node = cursor->node;
  if (!cursor->range.descending) {
    if (++cursor->place < node->count) return;
    cursor->node = node->next;
    cursor->place = 0;
  } else if (cursor->place-- == 0) {
    cursor->node = node->previous;
    if (node->previous) cursor->place = node->previous->count - 1;
  }
}

/* Is the entry in the range, by comparing it with both ends? */
static bool entry_is_in_range(const Ordered *ordered, const IndexCursor *cursor) {
  const IndexRange *range = &cursor->range;
  for (unsigned i = 0; i < 2; i++) {
    const Value *bound = i ? range->upper : range->lower;
    Probe probe = probe_new(ordered, range->equal, range->equal_count, bound, NULL);
    int sign = entry_compare(ordered, cursor->node, cursor->place, &probe);
    if (!bound && sign) return false;
    if (bound && i == 0 && (sign < 0 || (sign == 0 && range->lower_open))) return false;
    if (bound && i == 1 && (sign > 0 || (sign == 0 && range->upper_open))) return false;
  }
  return true;
}

void ordered_scan(const Ordered *ordered, IndexCursor *cursor) {
  const Node *node = ordered->root;
  while (!node->is_leaf) node = node->children[cursor->range.descending ? node->count - 1 : 0];
  cursor->is_scan = true;
  cursor->node = node->count ? node : NULL;
  cursor->place = cursor->range.descending && node->count ? node->count - 1 : 0;
}

Key *ordered_next(const Ordered *ordered, IndexCursor *cursor) {
  while (cursor->is_scan && cursor->node && !entry_is_in_range(ordered, cursor)) cursor_advance(cursor);
  const Node *node = cursor->node;
  if (!node) return NULL;
  if (!cursor->is_scan && !cursor_is_inside(ordered, cursor)) {
    cursor->node = NULL;
    return NULL;
  }
  cursor->last_node = node;
  cursor->last_place = cursor->place;
  Key *key = node->keys[cursor->place];
  cursor_advance(cursor);
  return key;
}

bool ordered_is_at(const Ordered *ordered, const IndexCursor *cursor, const Value *values) {
  const Node *node = cursor->last_node;
  for (uint32_t i = 0; i < ordered->column_count; i++)
    if (value_order(ordered->dialect, ordered->types[i], entry_value(ordered, node, cursor->last_place, i),
                    values[i]))
      return false;
  return true;
}

/* ---- Soundness --------------------------------------------------------------------------- */

static bool entries_ascend(const Ordered *ordered, const Node *node, uint32_t place, const Key *key,
                           const Value *values) {
  Probe probe = probe_new(ordered, values, ordered->column_count, NULL, key);
  return entry_compare(ordered, node, place, &probe) > 0;
}

static const Node *first_leaf(const Node *node) {
  while (!node->is_leaf) node = node->children[0];
  return node;
}

/* O3 below this node. */
static bool node_is_sound(const Ordered *ordered, const Node *node) {
  if (node->count == 0 || node->count > NODE_ROOM) return node == ordered->root && node->is_leaf;
  for (uint32_t i = 0; !node->is_leaf && i < node->count; i++) {
    const Node *leaf = first_leaf(node->children[i]);
    bool is_named = i == 0 || (node->keys[i] == leaf->keys[0] && node->values[i] == leaf->values[0]);
    if (!is_named || !node_is_sound(ordered, node->children[i])) return false;
  }
  return true;
}

bool ordered_is_sound(const Ordered *ordered) {
  if (!node_is_sound(ordered, ordered->root)) return false;
  const Key *last = NULL;
  Value values[ordered->column_count + 1];
  uint64_t count = 0;
  for (const Node *leaf = first_leaf(ordered->root); leaf; leaf = leaf->next)
    for (uint32_t i = 0; i < leaf->count; i++, count++) {
      if (last && !entries_ascend(ordered, leaf, i, last, values)) return false;
      for (uint32_t k = 0; k < ordered->column_count; k++) values[k] = entry_value(ordered, leaf, i, k);
      last = leaf->keys[i];
    }
  return count == ordered->count;
}
