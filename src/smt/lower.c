/* lower.c: terms as Z3 expressions, bottom up with an explicit stack.
 *
 * L1  The table holds a reference to each expression in it.
 * L2  An entry of a released node is dropped before its number is looked at again.
 * Variables are named by their serials, so that a new variable under an old
 * number is a new constant even if the solver still knows the old one. */
#include "src/smt/lower.h"

#include "src/smt/solver.h"

#include <assert.h>
#include <stdatomic.h>

typedef struct Lowered {
  Z3_ast plain;   /* NULL: not yet */
  Z3_ast negated; /* NULL: not yet, or not Boolean */
} Lowered;

struct Lowering {
  Terms *terms;
  Z3_context context;
  Z3_sort sorts[SORT_COUNT];
  ARRAY(Lowered) table;
  ARRAY(uint32_t) stack;
  ARRAY(Z3_ast) arguments;
  NodeWatch watch;
};

static atomic_uint contexts_made;

uint32_t smt_context_count(void) { return atomic_load(&contexts_made); }
bool smt_used_solver(void) { return smt_context_count() > 0; }

/* Any error of the library is our mistake, or no memory. */
static void error_report(Z3_context context, Z3_error_code code) {
  fatal("the solver failed: %s", Z3_get_error_msg(context, code));
}

static Lowering *lowering_new(Terms *terms) {
  Lowering *lowering = memory_new(sizeof *lowering);
  Z3_config config = Z3_mk_config();
  Z3_context context = Z3_mk_context_rc(config);
  Z3_del_config(config);
  atomic_fetch_add(&contexts_made, 1);
  Z3_set_error_handler(context, error_report);
  lowering->terms = terms;
  lowering->context = context;
  lowering->sorts[SORT_BOOL] = Z3_mk_bool_sort(context);
  Z3_inc_ref(context, Z3_sort_to_ast(context, lowering->sorts[SORT_BOOL]));
  Z3_sort integers = lowering->sorts[SORT_INT] = Z3_mk_int_sort(context);
  Z3_inc_ref(context, Z3_sort_to_ast(context, integers));
  lowering->sorts[SORT_ARRAY] = Z3_mk_array_sort(context, integers, integers);
  Z3_inc_ref(context, Z3_sort_to_ast(context, lowering->sorts[SORT_ARRAY]));
  terms_watch(terms, &lowering->watch);
  return lowering;
}

/* Drops the entries of node `first` and above. */
static void table_truncate(Lowering *lowering, uint32_t first) {
  while (lowering->table.count > first) {
    Lowered *entry = &lowering->table.items[--lowering->table.count];
    if (entry->plain) Z3_dec_ref(lowering->context, entry->plain);
    if (entry->negated) Z3_dec_ref(lowering->context, entry->negated);
  }
}

Lowering *terms_lowering(Terms *terms) {
  if (!terms->lowering) terms->lowering = lowering_new(terms);
  Lowering *lowering = terms->lowering;
  if (lowering->watch.lowest < lowering->table.count) table_truncate(lowering, lowering->watch.lowest);
  lowering->watch.lowest = UINT32_MAX;
  while (lowering->table.count < terms->nodes.count) ARRAY_PUSH(&lowering->table, (Lowered){0});
  return lowering;
}

void lowering_free(Lowering *lowering) {
  if (!lowering) return;
  terms_unwatch(lowering->terms, &lowering->watch);
  table_truncate(lowering, 0);
  for (int sort = 0; sort < SORT_COUNT; sort++)
    Z3_dec_ref(lowering->context, Z3_sort_to_ast(lowering->context, lowering->sorts[sort]));
  Z3_del_context(lowering->context);
  ARRAY_FREE(&lowering->table);
  ARRAY_FREE(&lowering->stack);
  ARRAY_FREE(&lowering->arguments);
  free(lowering);
}

Z3_context lowering_context(const Lowering *lowering) { return lowering->context; }

Z3_ast lowering_fresh(Lowering *lowering) {
  return Z3_mk_fresh_const(lowering->context, "assume", lowering->sorts[SORT_BOOL]);
}

Z3_ast lowering_variable(const Lowering *lowering, const Variable *variable) {
  return variable->node < lowering->table.count ? lowering->table.items[variable->node].plain : NULL;
}

/* The expression of a term whose node has one. */
static Z3_ast literal_expression(Lowering *lowering, Term term) {
  Lowered *entry = &lowering->table.items[term_node(term)];
  if (!term_negated(term)) return entry->plain;
  if (!entry->negated) {
    entry->negated = Z3_mk_not(lowering->context, entry->plain);
    Z3_inc_ref(lowering->context, entry->negated);
  }
  return entry->negated;
}

/* A conjunction of mostly negations is a disjunction seen from the other side, and reads better so. */
static void conjunction_lower(Lowering *lowering, const Term *arguments, uint32_t count, Lowered *entry) {
  Z3_context context = lowering->context;
  uint32_t negated = 0;
  for (uint32_t i = 0; i < count; i++) negated += term_negated(arguments[i]);
  Term flip = negated * 2 > count;
  lowering->arguments.count = 0;
  for (uint32_t i = 0; i < count; i++)
    ARRAY_PUSH(&lowering->arguments, literal_expression(lowering, arguments[i] ^ flip));
  if (!flip) {
    entry->plain = Z3_mk_and(context, count, lowering->arguments.items);
    Z3_inc_ref(context, entry->plain);
    return;
  }
  entry->negated = Z3_mk_or(context, count, lowering->arguments.items);
  Z3_inc_ref(context, entry->negated);
  entry->plain = Z3_mk_not(context, entry->negated);
  Z3_inc_ref(context, entry->plain);
}

/* Of a node whose arguments have expressions, except AND; not yet referenced. */
static Z3_ast node_expression(Lowering *lowering, const Node *node) {
  Z3_context context = lowering->context;
  const Terms *terms = lowering->terms;
  Z3_ast arguments[3] = {NULL};
  if (node_is_inner(node))
    for (uint32_t i = 0; i < node->count; i++)
      arguments[i] = literal_expression(lowering, node_arguments(terms, node)[i]);
  switch ((NodeOp)node->op) {
  case NODE_FALSE: return Z3_mk_false(context);
  case NODE_VARIABLE: {
    Z3_symbol symbol = Z3_mk_int_symbol(context, (int)node_variable(terms, node)->serial);
    return Z3_mk_const(context, symbol, lowering->sorts[node->sort]);
  }
  case NODE_INT: return Z3_mk_int64(context, node_int(terms, node), lowering->sorts[SORT_INT]);
  case NODE_IFF: return Z3_mk_iff(context, arguments[0], arguments[1]);
  case NODE_EQUAL: return Z3_mk_eq(context, arguments[0], arguments[1]);
  case NODE_LESS: return Z3_mk_lt(context, arguments[0], arguments[1]);
  case NODE_ADD: return Z3_mk_add(context, 2, arguments);
  case NODE_SUBTRACT: return Z3_mk_sub(context, 2, arguments);
  case NODE_MULTIPLY: return Z3_mk_mul(context, 2, arguments);
  case NODE_ITE: return Z3_mk_ite(context, arguments[0], arguments[1], arguments[2]);
  case NODE_SELECT: return Z3_mk_select(context, arguments[0], arguments[1]);
  case NODE_STORE: return Z3_mk_store(context, arguments[0], arguments[1], arguments[2]);
  case NODE_AND: break;
  }
  fatal("term operator %d cannot be lowered", node->op);
}

static void node_lower(Lowering *lowering, uint32_t number) {
  const Node *node = &lowering->terms->nodes.items[number];
  Lowered entry = {0};
  if (node->op == NODE_AND) {
    conjunction_lower(lowering, node_arguments(lowering->terms, node), node->count, &entry);
  } else {
    entry.plain = node_expression(lowering, node);
    Z3_inc_ref(lowering->context, entry.plain);
  }
  lowering->table.items[number] = entry;
}

/* Pushes the arguments without expressions; says whether all have one. */
static bool arguments_demand(Lowering *lowering, const Node *node) {
  if (!node_is_inner(node)) return true;
  uint32_t before = lowering->stack.count;
  const Term *arguments = node_arguments(lowering->terms, node);
  for (uint32_t i = 0; i < node->count; i++)
    if (!lowering->table.items[term_node(arguments[i])].plain)
      ARRAY_PUSH(&lowering->stack, term_node(arguments[i]));
  return lowering->stack.count == before;
}

Z3_ast lowering_term(Lowering *lowering, Term term) {
  assert(lowering->watch.lowest == UINT32_MAX); /* L2 */
  assert(term_node(term) < lowering->table.count);
  lowering->stack.count = 0;
  ARRAY_PUSH(&lowering->stack, term_node(term));
  while (lowering->stack.count) {
    uint32_t top = lowering->stack.items[lowering->stack.count - 1];
    if (!lowering->table.items[top].plain) {
      if (!arguments_demand(lowering, &lowering->terms->nodes.items[top])) continue;
      node_lower(lowering, top);
    }
    lowering->stack.count--;
  }
  return literal_expression(lowering, term);
}
