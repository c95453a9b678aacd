/* node.h: how terms are stored; seen by src/smt only.
 *
 * N1  A Boolean term is node * 2 + negated; an integer or array term is node * 2.
 * N2  Arguments of a node are terms of smaller nodes, so that ascending node
 *     numbers are a topological order.
 * N3  AND has two or more arguments: ascending, no two equal or complementary,
 *     no constants.  IFF has two: ascending and not negated.
 * N4  No two nodes other than variables have the same operator and arguments.
 *
 * Node 0 is the constant false.  A variable's serial is never given out again,
 * not even after a release: it is the variable's name in the solver. */
#ifndef ALIBI_SMT_NODE_H
#define ALIBI_SMT_NODE_H

#include "src/base/array.h"
#include "src/smt/term.h"

typedef enum NodeOp {
  NODE_FALSE,
  NODE_VARIABLE, /* of any sort; the argument is a place in Terms.variables */
  NODE_AND,
  NODE_IFF,
  NODE_INT, /* the arguments are the value's two halves, low first */
  NODE_ADD,
  NODE_SUBTRACT,
  NODE_MULTIPLY,
  NODE_ITE,    /* condition, then, else */
  NODE_EQUAL,  /* of integers */
  NODE_LESS,   /* of integers */
  NODE_SELECT, /* array, index */
  NODE_STORE,  /* array, index, value */
} NodeOp;

typedef enum Sort { SORT_BOOL, SORT_INT, SORT_ARRAY, SORT_COUNT } Sort;

typedef struct Node {
  uint8_t op;
  uint8_t sort;
  uint32_t count;
  uint32_t first; /* in Terms.arguments */
  uint32_t hash;
} Node;

typedef struct Variable {
  const char *name; /* in Terms.names, or NULL */
  uint32_t node;
  uint32_t number; /* among the variables of its sort */
  uint32_t serial;
  Sort sort;
} Variable;

/* Who keeps something per node is told the lowest node dropped since it last looked. */
typedef struct NodeWatch {
  struct NodeWatch *next;
  uint32_t lowest; /* UINT32_MAX: nothing was dropped */
} NodeWatch;

typedef struct Lowering Lowering;
typedef struct Evaluation Evaluation;

struct Terms {
  ARRAY(Node) nodes;
  ARRAY(uint32_t) arguments;
  ARRAY(Variable) variables;
  uint32_t sort_counts[SORT_COUNT]; /* variables of each sort */
  uint32_t next_serial;
  Arena names;
  uint32_t *slots; /* owned: hash table of node numbers, 0 is free */
  uint32_t slot_count;
  uint32_t slots_used;
  ARRAY(Term) work;       /* for the constructors; empty between calls */
  Evaluation *evaluation; /* owned: term_evaluate's, kept for its memory */
  Lowering *lowering;     /* owned: the solver's context, made when first needed */
  NodeWatch *watches;     /* each borrowed */
};

static inline uint32_t term_node(Term term) { return term >> 1; }
static inline bool term_negated(Term term) { return term & 1; }
static inline const Node *node_of(const Terms *terms, Term term) { return &terms->nodes.items[term >> 1]; }
static inline const uint32_t *node_arguments(const Terms *terms, const Node *node) {
  return &terms->arguments.items[node->first];
}
static inline Sort term_sort(const Terms *terms, Term term) { return (Sort)node_of(terms, term)->sort; }
static inline const Variable *node_variable(const Terms *terms, const Node *node) {
  return &terms->variables.items[*node_arguments(terms, node)];
}
/* Whether its arguments are terms, and not a number or a place. */
static inline bool node_is_inner(const Node *node) {
  return node->op != NODE_FALSE && node->op != NODE_VARIABLE && node->op != NODE_INT;
}
int64_t node_int(const Terms *terms, const Node *node);

/* The term of this node, which exists or is made.  The arguments must keep N2 and N3. */
Term node_make(Terms *terms, NodeOp op, Sort sort, const uint32_t *arguments, uint32_t count);

void terms_watch(Terms *terms, NodeWatch *watch);
void terms_unwatch(Terms *terms, NodeWatch *watch);

#endif
