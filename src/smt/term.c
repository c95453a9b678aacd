/* term.c: the table of nodes, its hash index, variables, marks. */
#include "src/smt/term.h"

#include "src/base/map.h"
#include "src/smt/evaluate.h"
#include "src/smt/lower.h"
#include "src/smt/node.h"

#include <assert.h>

static void slots_insert(Terms *terms, uint32_t node) {
  uint32_t mask = terms->slot_count - 1;
  uint32_t place = terms->nodes.items[node].hash & mask;
  while (terms->slots[place]) place = (place + 1) & mask;
  terms->slots[place] = node;
}

/* Nodes are inserted in ascending order, so that removing them in descending
 * order (terms_release) may simply free each slot. */
static void slots_grow(Terms *terms) {
  free(terms->slots);
  terms->slot_count = terms->slot_count ? terms->slot_count * 2 : 1024;
  terms->slots = memory_new((size_t)terms->slot_count * sizeof *terms->slots);
  for (uint32_t node = 1; node < terms->nodes.count; node++)
    if (terms->nodes.items[node].op != NODE_VARIABLE) slots_insert(terms, node);
}

static void slots_remove(Terms *terms, uint32_t node) {
  uint32_t mask = terms->slot_count - 1;
  uint32_t place = terms->nodes.items[node].hash & mask;
  while (terms->slots[place] != node) place = (place + 1) & mask;
  terms->slots[place] = 0;
  terms->slots_used--;
}

static uint32_t node_append(Terms *terms, NodeOp op, Sort sort, const uint32_t *arguments, uint32_t count,
                            uint32_t hash) {
  if (terms->nodes.count >= UINT32_MAX / 4) fatal("more than %u terms", terms->nodes.count);
  if (terms->arguments.count >= UINT32_MAX / 2 - count) fatal("too many arguments of terms");
  Node node = {.op = op, .sort = sort, .count = count, .first = terms->arguments.count, .hash = hash};
  for (uint32_t i = 0; i < count; i++) ARRAY_PUSH(&terms->arguments, arguments[i]);
  ARRAY_PUSH(&terms->nodes, node);
  return terms->nodes.count - 1;
}

static uint32_t node_hash(NodeOp op, const uint32_t *arguments, uint32_t count) {
  uint64_t hash = hash_mix(op, count);
  for (uint32_t i = 0; i < count; i++) hash = hash_mix(hash, arguments[i]);
  return (uint32_t)(hash ^ hash >> 32);
}

Term node_make(Terms *terms, NodeOp op, Sort sort, const uint32_t *arguments, uint32_t count) {
  if (terms->slots_used * 2 >= terms->slot_count) slots_grow(terms);
  uint32_t hash = node_hash(op, arguments, count);
  uint32_t mask = terms->slot_count - 1;
  uint32_t place = hash & mask;
  for (; terms->slots[place]; place = (place + 1) & mask) {
    const Node *node = &terms->nodes.items[terms->slots[place]];
    if (node->hash == hash && node->op == op && node->count == count &&
        memcmp(node_arguments(terms, node), arguments, count * sizeof *arguments) == 0)
      return terms->slots[place] * 2;
  }
  uint32_t node = node_append(terms, op, sort, arguments, count, hash);
  terms->slots[place] = node;
  terms->slots_used++;
  return node * 2;
}

Terms *terms_new(void) {
  Terms *terms = memory_new(sizeof *terms);
  arena_init(&terms->names);
  node_append(terms, NODE_FALSE, SORT_BOOL, NULL, 0, 0);
  return terms;
}

void terms_free(Terms *terms) {
  if (!terms) return;
  lowering_free(terms->lowering);
  assert(!terms->watches); /* a solver outlives its terms */
  evaluation_free(terms->evaluation);
  ARRAY_FREE(&terms->nodes);
  ARRAY_FREE(&terms->arguments);
  ARRAY_FREE(&terms->variables);
  ARRAY_FREE(&terms->work);
  arena_free(&terms->names);
  free(terms->slots);
  free(terms);
}

uint32_t terms_count(const Terms *terms) { return terms->nodes.count * 2; }

static Term variable_make(Terms *terms, Sort sort, const char *name) {
  if (terms->next_serial >= 1u << 30) fatal("more than %u variables", terms->next_serial); /* Z3's symbols */
  uint32_t place = terms->variables.count;
  uint32_t node = node_append(terms, NODE_VARIABLE, sort, &place, 1, 0);
  Variable variable = {.node = node,
                       .number = terms->sort_counts[sort]++,
                       .serial = terms->next_serial++,
                       .sort = sort,
                       .name = name ? arena_text(&terms->names, name, strlen(name)) : NULL};
  ARRAY_PUSH(&terms->variables, variable);
  return node * 2;
}

Term term_variable(Terms *terms, const char *name) { return variable_make(terms, SORT_BOOL, name); }
Term term_int_variable(Terms *terms, const char *name) { return variable_make(terms, SORT_INT, name); }
Term term_array_variable(Terms *terms, const char *name) { return variable_make(terms, SORT_ARRAY, name); }

uint32_t terms_variable_count(const Terms *terms) { return terms->sort_counts[SORT_BOOL]; }

uint32_t term_variable_number(const Terms *terms, Term term) {
  assert(term_node(term) < terms->nodes.count);
  const Node *node = node_of(terms, term);
  assert(node->op == NODE_VARIABLE && node->sort == SORT_BOOL);
  return node_variable(terms, node)->number;
}

TermMark terms_mark(const Terms *terms) {
  return (TermMark){.nodes = terms->nodes.count,
                    .arguments = terms->arguments.count,
                    .variables = terms->variables.count,
                    .names = arena_mark(&terms->names)};
}

void terms_release(Terms *terms, TermMark mark) {
  assert(mark.nodes >= 1 && mark.nodes <= terms->nodes.count); /* marks are released last first */
  for (uint32_t node = terms->nodes.count; node-- > mark.nodes;)
    if (terms->nodes.items[node].op != NODE_VARIABLE) slots_remove(terms, node);
  for (uint32_t i = mark.variables; i < terms->variables.count; i++)
    terms->sort_counts[terms->variables.items[i].sort]--;
  if (mark.nodes < terms->nodes.count)
    for (NodeWatch *watch = terms->watches; watch; watch = watch->next)
      if (mark.nodes < watch->lowest) watch->lowest = mark.nodes;
  terms->nodes.count = mark.nodes;
  terms->arguments.count = mark.arguments;
  terms->variables.count = mark.variables;
  arena_reset(&terms->names, mark.names);
}

void terms_watch(Terms *terms, NodeWatch *watch) {
  *watch = (NodeWatch){.next = terms->watches, .lowest = UINT32_MAX};
  terms->watches = watch;
}

void terms_unwatch(Terms *terms, NodeWatch *watch) {
  NodeWatch **link = &terms->watches;
  while (*link != watch) link = &(*link)->next;
  *link = watch->next;
}
