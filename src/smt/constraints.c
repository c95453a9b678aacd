/* constraints.c: components as a forest over the nodes of terms.
 *
 * A node is linked with its arguments when it is first met; components only grow, also when constraints are
 * taken back: then some are larger than need be. */
#include "src/smt/constraints.h"

#include "src/smt/node.h"

#include <stdlib.h>

typedef struct Component {
  uint32_t parent;         /* a node; itself: a root */
  bool is_linked;          /* with its arguments */
  uint32_t mark;           /* roots: the check that has gathered it */
  ARRAY(uint32_t) members; /* roots: places in items */
} Component;

struct Constraints {
  Terms *terms;
  Solver *solver;
  ARRAY(Term) items;           /* in the order of time */
  ARRAY(Component) components; /* by node */
  ARRAY(uint32_t) work;
  uint32_t checks;
  bool is_joint;     /* then: */
  uint32_t asserted; /* the first of items, which the solver has in one scope */
  ConstraintStats stats;
  bool is_open; /* the solver has a scope of the last question */
};

Constraints *constraints_new(Terms *terms, Solver *solver, bool is_joint) {
  Constraints *constraints = memory_new(sizeof *constraints);
  constraints->terms = terms;
  constraints->solver = solver;
  constraints->is_joint = is_joint;
  if (is_joint) solver_push(solver);
  return constraints;
}

void constraints_free(Constraints *constraints) {
  if (!constraints) return;
  if (constraints->is_open || constraints->is_joint) solver_pop(constraints->solver);
  for (uint32_t i = 0; i < constraints->components.count; i++)
    ARRAY_FREE(&constraints->components.items[i].members);
  ARRAY_FREE(&constraints->components);
  ARRAY_FREE(&constraints->items);
  ARRAY_FREE(&constraints->work);
  free(constraints);
}

/* ---- The forest ------------------------------------------------------------------------------ */

static uint32_t root_find(Constraints *constraints, uint32_t node) {
  Component *components = constraints->components.items;
  while (components[node].parent != node) {
    components[node].parent = components[components[node].parent].parent;
    node = components[node].parent;
  }
  return node;
}

static void roots_join(Constraints *constraints, uint32_t a, uint32_t b) {
  a = root_find(constraints, a);
  b = root_find(constraints, b);
  if (a == b) return;
  Component *large = &constraints->components.items[a], *small = &constraints->components.items[b];
  if (large->members.count < small->members.count) {
    Component *other = large;
    large = small;
    small = other;
  }
  small->parent = large->parent; /* a root is its own parent */
  for (uint32_t i = 0; i < small->members.count; i++) ARRAY_PUSH(&large->members, small->members.items[i]);
  ARRAY_FREE(&small->members);
  small->members.count = 0;
}

/* Links everything below the term; returns its root. */
static uint32_t term_link(Constraints *constraints, Term term) {
  while (constraints->components.count <= term_node(term)) {
    Component component = {.parent = constraints->components.count};
    ARRAY_PUSH(&constraints->components, component);
  }
  constraints->work.count = 0;
  ARRAY_PUSH(&constraints->work, term_node(term));
  while (constraints->work.count) {
    uint32_t node = constraints->work.items[--constraints->work.count];
    if (constraints->components.items[node].is_linked) continue;
    constraints->components.items[node].is_linked = true;
    const Node *inner = &constraints->terms->nodes.items[node];
    for (uint32_t i = 0; node_is_inner(inner) && i < inner->count; i++) {
      uint32_t argument = term_node(node_arguments(constraints->terms, inner)[i]);
      uint8_t op = constraints->terms->nodes.items[argument].op;
      if (op == NODE_FALSE || op == NODE_INT) continue; /* constants connect nothing */
      roots_join(constraints, node, argument);
      ARRAY_PUSH(&constraints->work, argument);
    }
  }
  return root_find(constraints, term_node(term));
}

/* ---- Constraints ------------------------------------------------------------------------------- */

static void question_close(Constraints *constraints) {
  if (constraints->is_open) solver_pop(constraints->solver);
  constraints->is_open = false;
}

void constraints_add(Constraints *constraints, Term term) {
  if (term == TERM_TRUE) return;
  if (constraints->is_joint) {
    ARRAY_PUSH(&constraints->items, term);
    return;
  }
  uint32_t root = term_link(constraints, term);
  ARRAY_PUSH(&constraints->components.items[root].members, constraints->items.count);
  ARRAY_PUSH(&constraints->items, term);
}

ConstraintStats constraints_stats(const Constraints *constraints) { return constraints->stats; }
uint32_t constraints_count(const Constraints *constraints) { return constraints->items.count; }

/* The solver drops all, and gets what is left with the next question. */
static void joint_forget(Constraints *constraints, uint32_t count) {
  if (count < constraints->asserted) {
    solver_pop(constraints->solver);
    solver_push(constraints->solver);
    constraints->asserted = 0;
  }
  if (count < constraints->items.count) constraints->items.count = count;
}

static Answer joint_check(Constraints *constraints, const Term *terms, uint32_t count) {
  while (constraints->asserted < constraints->items.count)
    solver_assert(constraints->solver, constraints->items.items[constraints->asserted++]);
  return solver_check(constraints->solver, terms, count);
}

void constraints_forget(Constraints *constraints, uint32_t count) {
  if (constraints->is_joint) return joint_forget(constraints, count);
  while (constraints->items.count > count) {
    uint32_t place = --constraints->items.count;
    Component *component =
        &constraints->components.items[root_find(constraints, term_node(constraints->items.items[place]))];
    for (uint32_t i = component->members.count; i-- > 0;) { /* it is among the newest */
      if (component->members.items[i] != place) continue;
      component->members.items[i] = component->members.items[--component->members.count];
      break;
    }
  }
}

/* Opens a question about the components of the terms. */
static void question_open(Constraints *constraints, const Term *terms, uint32_t count) {
  question_close(constraints);
  constraints->checks++;
  solver_push(constraints->solver);
  constraints->is_open = true;
  for (uint32_t i = 0; i < count; i++) term_link(constraints, terms[i]);
  uint32_t asked = 0;
  for (uint32_t i = 0; i < count; i++) {
    Component *component = &constraints->components.items[root_find(constraints, term_node(terms[i]))];
    if (component->mark == constraints->checks) continue;
    component->mark = constraints->checks;
    asked += component->members.count;
    for (uint32_t k = 0; k < component->members.count; k++)
      solver_assert(constraints->solver, constraints->items.items[component->members.items[k]]);
  }
  constraints->stats.checks += asked < constraints->items.count;
  constraints->stats.left_out += constraints->items.count - asked;
}

Answer constraints_check(Constraints *constraints, const Term *terms, uint32_t count) {
  if (constraints->is_joint) return joint_check(constraints, terms, count);
  question_open(constraints, terms, count);
  return solver_check(constraints->solver, terms, count);
}

Answer constraints_model(Constraints *constraints, const Term *terms, uint32_t count, Term question) {
  if (constraints->is_joint) return joint_check(constraints, &question, 1);
  question_open(constraints, terms, count);
  return solver_check(constraints->solver, &question, 1);
}

Answer constraints_solve(Constraints *constraints) {
  if (constraints->is_joint) return joint_check(constraints, NULL, 0);
  question_close(constraints);
  solver_push(constraints->solver);
  constraints->is_open = true;
  for (uint32_t i = 0; i < constraints->items.count; i++)
    solver_assert(constraints->solver, constraints->items.items[i]);
  return solver_check(constraints->solver, NULL, 0);
}
