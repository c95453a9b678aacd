/* evaluate.c: values of terms, bottom up with an explicit stack.
 *
 * The memo is an array by node with the epoch in which an entry was made, so
 * that a reset costs nothing.  Arrays have no value of their own: a select walks
 * down the stores and choices, all of whose indices and conditions are known by then. */
#include "src/smt/evaluate.h"

#include <assert.h>

typedef struct Memo {
  int64_t value;
  uint32_t epoch;
  bool known; /* within 64 bits */
} Memo;

struct Evaluation {
  Memo *memos; /* owned, by node */
  uint32_t room;
  uint32_t epoch;
  ARRAY(uint32_t) stack;
};

Evaluation *evaluation_new(void) {
  Evaluation *evaluation = memory_new(sizeof *evaluation);
  evaluation->epoch = 1;
  return evaluation;
}

void evaluation_free(Evaluation *evaluation) {
  if (!evaluation) return;
  free(evaluation->memos);
  ARRAY_FREE(&evaluation->stack);
  free(evaluation);
}

void evaluation_reset(Evaluation *evaluation) {
  if (++evaluation->epoch) return;
  memset(evaluation->memos, 0, evaluation->room * sizeof *evaluation->memos);
  evaluation->epoch = 1;
}

static void memos_reserve(Evaluation *evaluation, uint32_t count) {
  if (count <= evaluation->room) return;
  uint32_t room = count < 512 ? 1024 : count * 2;
  evaluation->memos = memory_resize(evaluation->memos, room * sizeof(Memo));
  memset(evaluation->memos + evaluation->room, 0, (room - evaluation->room) * sizeof(Memo));
  evaluation->room = room;
}

static inline bool node_is_done(const Evaluation *evaluation, uint32_t node) {
  return evaluation->memos[node].epoch == evaluation->epoch;
}

/* The value of a term whose node is done. */
static inline bool value_of(const Evaluation *evaluation, Term term, int64_t *value) {
  const Memo *memo = &evaluation->memos[term_node(term)];
  *value = memo->value ^ term_negated(term);
  return memo->known;
}

static bool element_find(const Evaluation *evaluation, const Terms *terms, Term array, int64_t index,
                         const Assignment *assignment, int64_t *value) {
  for (;;) {
    const Node *node = node_of(terms, array);
    if (node->op == NODE_VARIABLE)
      return assignment->element(assignment->data, node_variable(terms, node), index, value);
    const Term *arguments = node_arguments(terms, node);
    int64_t found;
    if (node->op == NODE_STORE) {
      if (!value_of(evaluation, arguments[1], &found)) return false;
      if (found == index) return value_of(evaluation, arguments[2], value);
      array = arguments[0];
    } else {
      assert(node->op == NODE_ITE);
      if (!value_of(evaluation, arguments[0], &found)) return false;
      array = arguments[found ? 1 : 2];
    }
  }
}

/* One false argument decides, whatever the others are. */
static bool conjunction_compute(const Evaluation *evaluation, const Term *arguments, uint32_t count,
                                int64_t *value) {
  bool known = true;
  for (uint32_t i = 0; i < count; i++) {
    int64_t item;
    if (!value_of(evaluation, arguments[i], &item))
      known = false;
    else if (!item)
      return *value = 0, true;
  }
  *value = 1;
  return known;
}

static bool binary_compute(NodeOp op, int64_t a, int64_t b, int64_t *value) {
  switch (op) {
  case NODE_IFF:
  case NODE_EQUAL: *value = a == b; return true;
  case NODE_LESS: *value = a < b; return true;
  case NODE_ADD: return !__builtin_add_overflow(a, b, value);
  case NODE_SUBTRACT: return !__builtin_sub_overflow(a, b, value);
  case NODE_MULTIPLY: return !__builtin_mul_overflow(a, b, value);
  default: fatal("term operator %d is not binary", op);
  }
}

static bool node_compute(const Evaluation *evaluation, const Terms *terms, const Node *node,
                         const Assignment *assignment, int64_t *value) {
  const Term *arguments = node_arguments(terms, node);
  int64_t a, b;
  *value = 0;
  switch ((NodeOp)node->op) {
  case NODE_FALSE: return true;
  case NODE_INT: *value = node_int(terms, node); return true;
  case NODE_VARIABLE:
    if (node->sort == SORT_ARRAY) return true;
    return assignment->variable(assignment->data, node_variable(terms, node), value);
  case NODE_AND: return conjunction_compute(evaluation, arguments, node->count, value);
  case NODE_STORE: return true;
  case NODE_ITE:
    if (node->sort == SORT_ARRAY) return true;
    return value_of(evaluation, arguments[0], &a) && value_of(evaluation, arguments[a ? 1 : 2], value);
  case NODE_SELECT:
    return value_of(evaluation, arguments[1], &a) &&
           element_find(evaluation, terms, arguments[0], a, assignment, value);
  default:
    return value_of(evaluation, arguments[0], &a) && value_of(evaluation, arguments[1], &b) &&
           binary_compute((NodeOp)node->op, a, b, value);
  }
}

/* Pushes the arguments that are not done; says whether all are. */
static bool arguments_demand(Evaluation *evaluation, const Terms *terms, const Node *node) {
  uint32_t before = evaluation->stack.count;
  if (!node_is_inner(node)) return true;
  const Term *arguments = node_arguments(terms, node);
  for (uint32_t i = 0; i < node->count; i++)
    if (!node_is_done(evaluation, term_node(arguments[i])))
      ARRAY_PUSH(&evaluation->stack, term_node(arguments[i]));
  return evaluation->stack.count == before;
}

bool evaluation_value(Evaluation *evaluation, const Terms *terms, Term term, const Assignment *assignment,
                      int64_t *value) {
  assert(term_node(term) < terms->nodes.count && term_sort(terms, term) != SORT_ARRAY);
  memos_reserve(evaluation, terms->nodes.count);
  evaluation->stack.count = 0;
  ARRAY_PUSH(&evaluation->stack, term_node(term));
  while (evaluation->stack.count) {
    uint32_t top = evaluation->stack.items[evaluation->stack.count - 1];
    const Node *node = &terms->nodes.items[top];
    if (!node_is_done(evaluation, top)) {
      if (!arguments_demand(evaluation, terms, node)) continue;
      Memo *memo = &evaluation->memos[top];
      memo->known = node_compute(evaluation, terms, node, assignment, &memo->value);
      memo->epoch = evaluation->epoch;
    }
    evaluation->stack.count--;
  }
  return value_of(evaluation, term, value);
}

static bool table_variable(void *data, const Variable *variable, int64_t *value) {
  if (variable->sort != SORT_BOOL) fatal("term_evaluate: a term over integers");
  *value = ((const bool *)data)[variable->number];
  return true;
}

static bool table_element(void *data, const Variable *array, int64_t index, int64_t *value) {
  (void)data, (void)array, (void)index, (void)value;
  fatal("term_evaluate: a term over arrays");
}

bool term_evaluate(const Terms *terms, Term term, const bool *by_variable) {
  /* The memory is kept with the terms; what it holds is of this call only. */
  Terms *owner = (Terms *)terms;
  if (!owner->evaluation) owner->evaluation = evaluation_new();
  evaluation_reset(owner->evaluation);
  Assignment assignment = {.variable = table_variable, .element = table_element, .data = (void *)by_variable};
  int64_t value;
  assert(term_sort(terms, term) == SORT_BOOL);
  if (!evaluation_value(owner->evaluation, terms, term, &assignment, &value))
    fatal("term_evaluate: an integer beyond 64 bits");
  return value;
}
