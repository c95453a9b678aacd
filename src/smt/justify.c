/* justify.c: depth first over the choices, with a bound on how often it may go back.
 *
 * Disjunctions wait in the order in which they were met, so that going back is a matter of three counts. */
#include "src/smt/justify.h"

#include "src/smt/node.h"

enum { CONFLICTS_MOST = 200, STEPS_MOST = 1 << 20 };

enum { VALUE_NONE, VALUE_FALSE, VALUE_TRUE };

/* A disjunction of which one part was chosen. */
typedef struct Decision {
  uint32_t opened; /* its place among the open ones */
  uint32_t best;   /* the part that was tried first */
  uint32_t next;   /* of the others: the next to try */
  uint32_t trail, open_count;
} Decision;

struct Justifier {
  const Terms *terms;
  ARRAY(uint8_t) values; /* by node */
  ARRAY(uint8_t) hints; /* by node: the value in the last solution, which new demands mostly leave as it is */
  ARRAY(uint32_t) trail; /* nodes with a value */
  ARRAY(Term) open;      /* disjunctions, as terms that must be true */
  uint32_t head;         /* the first of them that is not looked at */
  ARRAY(Decision) decisions;
  ARRAY(Term) work;
  uint32_t conflicts, steps;
  bool is_foreign; /* there is something that is not Boolean */
};

Justifier *justifier_new(void) { return memory_new(sizeof(Justifier)); }

void justifier_free(Justifier *justifier) {
  if (!justifier) return;
  ARRAY_FREE(&justifier->values);
  ARRAY_FREE(&justifier->hints);
  ARRAY_FREE(&justifier->trail);
  ARRAY_FREE(&justifier->open);
  ARRAY_FREE(&justifier->decisions);
  ARRAY_FREE(&justifier->work);
  free(justifier);
}

static void trail_cut(Justifier *justifier, uint32_t count) {
  while (justifier->trail.count > count)
    justifier->values.items[justifier->trail.items[--justifier->trail.count]] = VALUE_NONE;
}

void justifier_begin(Justifier *justifier, const Terms *terms) {
  trail_cut(justifier, 0);
  justifier->terms = terms;
  while (justifier->values.count < terms->nodes.count) {
    ARRAY_PUSH(&justifier->values, VALUE_NONE);
    ARRAY_PUSH(&justifier->hints, VALUE_NONE);
  }
  justifier->open.count = justifier->decisions.count = 0;
  justifier->head = justifier->conflicts = justifier->steps = 0;
  justifier->is_foreign = false;
}

static inline uint8_t value_wanted(Term term) { return term_negated(term) ? VALUE_FALSE : VALUE_TRUE; }

/* VALUE_TRUE: the term is known to be true. */
static inline uint8_t term_value(const Justifier *justifier, Term term) {
  uint8_t value = justifier->values.items[term_node(term)];
  if (value == VALUE_NONE) return VALUE_NONE;
  return value == value_wanted(term) ? VALUE_TRUE : VALUE_FALSE;
}

/* Makes the term true, and what it is made of.  False: something of it is false. */
static bool term_demand(Justifier *justifier, Term demanded) {
  justifier->work.count = 0;
  ARRAY_PUSH(&justifier->work, demanded);
  while (justifier->work.count) {
    Term term = justifier->work.items[--justifier->work.count];
    uint8_t value = term_value(justifier, term);
    if (value == VALUE_FALSE) return false;
    if (value == VALUE_TRUE) continue;
    const Node *node = node_of(justifier->terms, term);
    justifier->steps++;
    if (node->op == NODE_FALSE && !term_negated(term)) return false;
    justifier->values.items[term_node(term)] = value_wanted(term);
    ARRAY_PUSH(&justifier->trail, term_node(term));
    if (node->op == NODE_FALSE || (node->op == NODE_VARIABLE && node->sort == SORT_BOOL)) continue;
    if (node->op == NODE_AND && !term_negated(term)) {
      for (uint32_t i = 0; i < node->count; i++)
        ARRAY_PUSH(&justifier->work, node_arguments(justifier->terms, node)[i]);
    } else if (node->op == NODE_AND || node->op == NODE_IFF) {
      ARRAY_PUSH(&justifier->open, term);
    } else {
      justifier->is_foreign = true;
      return false;
    }
  }
  return true;
}

/* ---- Disjunctions -------------------------------------------------------------------------------- */

/* The parts of an open term, one of which makes it true: of not(a and b ...) not a, not b, ...; of an
 * equality, both sides true or both false, the second of two terms coming along. */
static uint32_t part_count(const Node *node) { return node->op == NODE_IFF ? 2 : node->count; }

static Term part_of(const Justifier *justifier, Term open, uint32_t place, Term *along) {
  const Node *node = node_of(justifier->terms, open);
  const Term *arguments = node_arguments(justifier->terms, node);
  *along = TERM_TRUE;
  if (node->op == NODE_AND) return arguments[place] ^ 1;
  *along = arguments[1] ^ place ^ term_negated(open);
  return arguments[0] ^ place;
}

/* -1: it is or would be false, as far as can be seen; INT32_MAX: it is true; else how much speaks for it. */
static int32_t term_score(const Justifier *justifier, Term term) {
  uint8_t value = term_value(justifier, term);
  if (value != VALUE_NONE) return value == VALUE_TRUE ? INT32_MAX : -1;
  const Node *node = node_of(justifier->terms, term);
  int32_t score = justifier->hints.items[term_node(term)] == value_wanted(term) ? 2 : 0;
  if (node->op != NODE_AND) return score;
  const Term *arguments = node_arguments(justifier->terms, node);
  bool is_open = false;
  for (uint32_t i = 0; i < node->count; i++) {
    uint8_t part = term_value(justifier, arguments[i]);
    if (part == VALUE_FALSE) return term_negated(term) ? INT32_MAX : -1;
    is_open = is_open || part == VALUE_NONE;
    if (part == VALUE_TRUE && !term_negated(term) && score < 1 << 16) score += 4;
  }
  if (is_open) return score;
  return term_negated(term) ? -1 : INT32_MAX;
}

static int32_t part_score(const Justifier *justifier, Term open, uint32_t place) {
  Term along;
  int32_t score = term_score(justifier, part_of(justifier, open, place, &along));
  if (along == TERM_TRUE || score < 0) return score;
  int32_t other = term_score(justifier, along);
  return other < score ? other : score;
}

static bool part_demand(Justifier *justifier, Term open, uint32_t place) {
  Term along, part = part_of(justifier, open, place, &along);
  return term_demand(justifier, part) && (along == TERM_TRUE || term_demand(justifier, along));
}

/* Chooses a part of the next open term.  False: none is left to choose. */
static bool open_choose(Justifier *justifier) {
  uint32_t opened = justifier->head++;
  Term open = justifier->open.items[opened];
  uint32_t count = part_count(node_of(justifier->terms, open)), viable = 0, best = 0;
  int32_t most = -1;
  for (uint32_t i = 0; i < count; i++) {
    int32_t score = part_score(justifier, open, i);
    justifier->steps++;
    viable += score >= 0;
    if (score <= most) continue;
    most = score;
    best = i;
  }
  if (!viable) return false;
  if (viable > 1 && most < INT32_MAX) {
    Decision decision = {opened, best, 0, justifier->trail.count, justifier->open.count};
    ARRAY_PUSH(&justifier->decisions, decision);
  }
  return part_demand(justifier, open, best);
}

/* Back to the newest decision with a part that was not tried.  False: there is none, or it took too long. */
static bool decision_change(Justifier *justifier) {
  while (justifier->decisions.count && !justifier->is_foreign) {
    if (++justifier->conflicts > CONFLICTS_MOST) return false;
    Decision *decision = &justifier->decisions.items[justifier->decisions.count - 1];
    Term open = justifier->open.items[decision->opened];
    trail_cut(justifier, decision->trail);
    justifier->open.count = decision->open_count;
    justifier->head = decision->opened + 1;
    uint32_t count = part_count(node_of(justifier->terms, open)), part = decision->next;
    while (part < count && (part == decision->best || part_score(justifier, open, part) < 0)) part++;
    decision->next = part + 1;
    if (part >= count)
      justifier->decisions.count--;
    else if (part_demand(justifier, open, part))
      return true;
  }
  return false;
}

/* ---- A question ------------------------------------------------------------------------------------ */

bool justifier_demand(Justifier *justifier, Term term) { return term_demand(justifier, term); }

bool justifier_solve(Justifier *justifier) {
  while (justifier->head < justifier->open.count) {
    if (justifier->steps > STEPS_MOST) return false;
    if (!open_choose(justifier) && !decision_change(justifier)) return false;
  }
  for (uint32_t i = 0; i < justifier->trail.count; i++) {
    uint32_t node = justifier->trail.items[i];
    justifier->hints.items[node] = justifier->values.items[node];
  }
  return true;
}

bool justifier_value(const Justifier *justifier, uint32_t node) {
  return node < justifier->values.count && justifier->values.items[node] == VALUE_TRUE;
}
