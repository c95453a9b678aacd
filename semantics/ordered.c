/* ordered.c: the B+tree: nodes of 48 entries, leaves linked both ways.
 *
 * A node holds, per entry, its words, its key and its values (NULL if exact, O2); an inner
 * node the same of each separator, and the child.  Nodes are split in half, but at the right end,
 * where keys ascend, a new leaf is begun; a node that falls below a quarter joins a neighbour. */
#include "semantics/ordered_internal.h"

#include "semantics/ordered_word.h"

#include <assert.h>

enum { TREE_HEIGHT = 24 };

/* The way from the root to a leaf, and the entry's place in it. */
typedef struct Path {
  Node *nodes[TREE_HEIGHT];
  uint32_t places[TREE_HEIGHT];
  uint32_t height; /* the leaf's index */
} Path;

static Node *node_new(Ordered *ordered, bool is_leaf) {
  size_t words = (size_t)NODE_ROOM * ordered->word_count * sizeof(int64_t);
  size_t size = sizeof(Node) + words + (is_leaf ? 0 : NODE_ROOM * sizeof(Node *));
  Node *node = memory_resize(NULL, size);
  node->count = 0;
  node->is_leaf = is_leaf;
  node->previous = node->next = NULL;
  node->children = is_leaf ? NULL : (Node **)(void *)((char *)node->words + words);
  ordered->bytes += size;
  return node;
}

static void node_free(Ordered *ordered, Node *node) {
  ordered->bytes -= sizeof(Node) + (size_t)NODE_ROOM * ordered->word_count * sizeof(int64_t) +
                    (node->is_leaf ? 0 : NODE_ROOM * sizeof(Node *));
  free(node);
}

Ordered *ordered_new(Slab *slab, const Dialect *dialect, uint32_t column_count, const Type *types) {
  Ordered *ordered = memory_new(sizeof *ordered + column_count * sizeof *types);
  ordered->slab = slab;
  ordered->dialect = dialect;
  ordered->column_count = column_count;
  for (uint32_t i = 0; i < column_count; i++) ordered->types[i] = types[i];
  while (ordered->word_count < column_count && ordered->word_count < INDEX_WORDS &&
         type_has_words(dialect, types[ordered->word_count]))
    ordered->word_count++;
  ordered->root = node_new(ordered, true);
  return ordered;
}

static size_t entry_size(const Ordered *ordered, const Value *values) {
  size_t size = ordered->column_count * sizeof *values;
  for (uint32_t i = 0; i < ordered->column_count; i++) size += value_extra(values[i]);
  return size;
}

static void entry_free(Ordered *ordered, Value *values) {
  if (values) slab_release(ordered->slab, values, entry_size(ordered, values));
}

static void node_free_all(Ordered *ordered, Node *node) {
  for (uint32_t i = 0; i < node->count; i++)
    if (node->is_leaf)
      entry_free(ordered, node->values[i]);
    else
      node_free_all(ordered, node->children[i]);
  node_free(ordered, node);
}

void ordered_free(Ordered *ordered) {
  node_free_all(ordered, ordered->root);
  free(ordered);
}

static void path_find(Ordered *ordered, const Probe *probe, bool after, Path *path) {
  Node *node = ordered->root;
  for (path->height = 0; !node->is_leaf; path->height++) {
    uint32_t child = node_child(ordered, node, probe, after);
    path->nodes[path->height] = node;
    path->places[path->height] = child;
    node = node->children[child];
  }
  path->nodes[path->height] = node;
  path->places[path->height] = node_search(ordered, node, 0, probe, after);
}

/* ---- Moving entries ------------------------------------------------------------ */

static void entries_move(const Ordered *ordered, Node *to, uint32_t at, const Node *from, uint32_t start,
                         uint32_t count) {
  uint32_t words = ordered->word_count;
  memmove(&to->keys[at], &from->keys[start], count * sizeof to->keys[0]);
  memmove(&to->values[at], &from->values[start], count * sizeof to->values[0]);
  if (words)
    memmove(&to->words[at * words], &from->words[start * words], (size_t)count * words * sizeof(int64_t));
  if (!to->is_leaf) memmove(&to->children[at], &from->children[start], count * sizeof to->children[0]);
}

static void node_open(const Ordered *ordered, Node *node, uint32_t place) {
  entries_move(ordered, node, place + 1, node, place, node->count - place);
  node->count++;
}

static void node_close(const Ordered *ordered, Node *node, uint32_t place) {
  node->count--;
  entries_move(ordered, node, place, node, place + 1, node->count - place);
}

/* Copies key, values and words, not the child. */
static void separator_set(const Ordered *ordered, Node *to, uint32_t at, const Node *from, uint32_t place) {
  uint32_t words = ordered->word_count;
  to->keys[at] = from->keys[place];
  to->values[at] = from->values[place];
  for (uint32_t i = 0; i < words; i++) to->words[at * words + i] = from->words[place * words + i];
}

/* The first entry below path->nodes[level] has become `from`'s first: O3 for the node above that names it. */
static void path_rename(const Ordered *ordered, const Path *path, uint32_t level, const Node *from) {
  while (level > 0) {
    level--;
    if (path->places[level] == 0) continue;
    separator_set(ordered, path->nodes[level], path->places[level], from, 0);
    return;
  }
}

/* ---- Insertion ------------------------------------------------------------------- */

static void node_append(const Ordered *ordered, Node *node, const Node *from, uint32_t start,
                        uint32_t count) {
  entries_move(ordered, node, node->count, from, start, count);
  node->count += count;
}

static void leaf_link(Node *leaf, Node *right) {
  right->previous = leaf;
  right->next = leaf->next;
  if (leaf->next) leaf->next->previous = right;
  leaf->next = right;
}

/* Makes room in the full node at `level` of the path; the path then leads to where the entry goes. */
static void path_split(Ordered *ordered, Path *path, uint32_t level) {
  Node *node = path->nodes[level];
  if (level == 0) {
    Node *root = node_new(ordered, false);
    root->count = 1;
    root->children[0] = node;
    separator_set(ordered, root, 0, node, 0);
    for (uint32_t i = path->height + 1; i > 0; i--) {
      path->nodes[i] = path->nodes[i - 1];
      path->places[i] = path->places[i - 1];
    }
    path->nodes[0] = ordered->root = root;
    path->places[0] = 0;
    path->height++;
    level = 1;
    assert(path->height < TREE_HEIGHT);
  } else if (path->nodes[level - 1]->count == NODE_ROOM) {
    uint32_t height = path->height;
    path_split(ordered, path, level - 1);
    level += path->height - height; /* a new root above moves everything down */
  }
  Node *above = path->nodes[level - 1], *right = node_new(ordered, node->is_leaf);
  bool is_last = node->is_leaf && !node->next && path->places[level] == node->count;
  uint32_t kept = is_last ? node->count - 1 : node->count / 2;
  node_append(ordered, right, node, kept, node->count - kept);
  node->count = kept;
  if (node->is_leaf) leaf_link(node, right);
  uint32_t place = path->places[level - 1] + 1;
  node_open(ordered, above, place);
  separator_set(ordered, above, place, right, 0);
  above->children[place] = right;
  bool goes_right = node->is_leaf ? path->places[level] > kept : path->places[level] >= kept;
  if (!goes_right) return;
  path->nodes[level] = right;
  path->places[level] -= kept;
  path->places[level - 1] = place;
}

static Value *entry_copy(Ordered *ordered, const Value *values) {
  Value *copy = slab_new(ordered->slab, entry_size(ordered, values));
  char *memory = (char *)(copy + ordered->column_count);
  for (uint32_t i = 0; i < ordered->column_count; i++) copy[i] = value_pack(values[i], &memory);
  return copy;
}

void ordered_add(Ordered *ordered, const Value *values, Key *key) {
  Probe probe = probe_new(ordered, values, ordered->column_count, NULL, key);
  Path path;
  path_find(ordered, &probe, true, &path);
  if (path.nodes[path.height]->count == NODE_ROOM) path_split(ordered, &path, path.height);
  Node *leaf = path.nodes[path.height];
  uint32_t place = path.places[path.height];
  node_open(ordered, leaf, place);
  bool is_exact =
      ordered->word_count == ordered->column_count && probe.exact == (1u << ordered->column_count) - 1;
  leaf->keys[place] = key;
  leaf->values[place] = is_exact ? NULL : entry_copy(ordered, values);
  for (uint32_t i = 0; i < ordered->word_count; i++)
    leaf->words[place * ordered->word_count + i] = probe.words[i];
  ordered->count++;
}

/* ---- Removal ---------------------------------------------------------------------- */

/* Moves all of child `place + 1` to the end of child `place`; the gap in the node above is closed. */
static void children_join(Ordered *ordered, Node *above, uint32_t place) {
  Node *left = above->children[place], *right = above->children[place + 1];
  uint32_t first = left->count;
  node_append(ordered, left, right, 0, right->count);
  if (left->is_leaf) {
    left->next = right->next;
    if (right->next) right->next->previous = left;
  } else {
    separator_set(ordered, left, first, above, place + 1); /* the first separator of a node is not kept up */
  }
  node_free(ordered, right);
  node_close(ordered, above, place + 1);
}

static void leaf_unlink(Node *leaf) {
  if (leaf->previous) leaf->previous->next = leaf->next;
  if (leaf->next) leaf->next->previous = leaf->previous;
}

/* The empty node at `level` goes; the one above keeps its first entry's name right. */
static void path_drop(Ordered *ordered, Path *path, uint32_t level) {
  Node *node = path->nodes[level], *above = path->nodes[level - 1];
  if (node->is_leaf) leaf_unlink(node);
  node_free(ordered, node);
  uint32_t place = path->places[level - 1];
  node_close(ordered, above, place);
  if (place == 0 && above->count) path_rename(ordered, path, level - 1, above);
}

static void path_shrink(Ordered *ordered, Path *path) {
  for (uint32_t level = path->height; level > 0; level--) {
    Node *node = path->nodes[level], *above = path->nodes[level - 1];
    uint32_t place = path->places[level - 1];
    if (node->count == 0) {
      path_drop(ordered, path, level);
      continue;
    }
    if (node->count >= NODE_FEW) return;
    if (place + 1 < above->count && node->count + above->children[place + 1]->count <= NODE_ROOM * 3 / 4)
      children_join(ordered, above, place);
    else if (place > 0 && node->count + above->children[place - 1]->count <= NODE_ROOM * 3 / 4)
      children_join(ordered, above, place - 1);
    else
      return;
  }
  Node *root = ordered->root;
  while (!root->is_leaf && root->count == 1) {
    ordered->root = root->children[0];
    node_free(ordered, root);
    root = ordered->root;
  }
}

bool ordered_remove(Ordered *ordered, const Value *values, Key *key) {
  Probe probe = probe_new(ordered, values, ordered->column_count, NULL, key);
  Path path;
  path_find(ordered, &probe, true, &path); /* the entry itself is just before */
  Node *leaf = path.nodes[path.height];
  if (path.places[path.height] == 0) return false;
  uint32_t place = path.places[path.height] - 1;
  if (leaf->keys[place] != key || entry_compare(ordered, leaf, place, &probe)) return false;
  Value *copy = leaf->values[place];
  node_close(ordered, leaf, place);
  if (place == 0 && leaf->count) path_rename(ordered, &path, path.height, leaf);
  path_shrink(ordered, &path);
  entry_free(ordered, copy);
  ordered->count--;
  return true;
}

uint64_t ordered_count(const Ordered *ordered) { return ordered->count; }
uint64_t ordered_bytes(const Ordered *ordered) { return ordered->bytes + sizeof *ordered; }
