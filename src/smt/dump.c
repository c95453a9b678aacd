/* dump.c: writing a check as SMT-LIB. */
#include "src/smt/dump.h"

#include "src/smt/node.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>

struct Dump {
  FILE *file;
  char *path;
  long status; /* where the word after :status is */
};

static atomic_uint dumps_made;

static const char *const SORT_NAMES[SORT_COUNT] = {"Bool", "Int", "(Array Int Int)"};

/* Marks, in an array by node, what the terms are made of.  Owned by the caller. */
static bool *cone_mark(const Terms *terms, const Term *roots[2], const uint32_t counts[2]) {
  bool *marked = memory_new(terms->nodes.count * sizeof *marked);
  for (int list = 0; list < 2; list++)
    for (uint32_t i = 0; i < counts[list]; i++) marked[term_node(roots[list][i])] = true;
  for (uint32_t number = terms->nodes.count; number-- > 0;) { /* N2: users before what they use */
    const Node *node = &terms->nodes.items[number];
    if (!marked[number] || !node_is_inner(node)) continue;
    for (uint32_t i = 0; i < node->count; i++) marked[term_node(node_arguments(terms, node)[i])] = true;
  }
  return marked;
}

static bool is_numeral(const Terms *terms, Term term) { return node_of(terms, term)->op == NODE_INT; }

static const char *cone_logic(const Terms *terms, const bool *marked) {
  bool integers = false, products = false, arrays = false;
  for (uint32_t number = 0; number < terms->nodes.count; number++) {
    if (!marked[number]) continue;
    const Node *node = &terms->nodes.items[number];
    integers |= node->sort == SORT_INT;
    arrays |= node->sort == SORT_ARRAY;
    if (node->op != NODE_MULTIPLY) continue;
    const Term *factors = node_arguments(terms, node);
    products |= !is_numeral(terms, factors[0]) && !is_numeral(terms, factors[1]);
  }
  if (arrays) return products ? "QF_ANIA" : "QF_ALIA";
  if (integers) return products ? "QF_NIA" : "QF_LIA";
  return "QF_UF";
}

/* A variable's symbol ends in its serial, which makes it unique whatever its name is. */
static void symbol_write(FILE *file, const Variable *variable) {
  if (!variable->name) {
    fprintf(file, "%c%u", "bia"[variable->sort], variable -> serial);
    return;
  }
  fputc('|', file);
  for (const char *c = variable->name; *c; c++)
    fputc(*c == '|' || *c == '\\' || (unsigned char)*c < ' ' || (unsigned char)*c > '~' ? '_' : *c, file);
  fprintf(file, "#%u|", variable->serial);
}

static void term_write(FILE *file, const Terms *terms, Term term) {
  const Node *node = node_of(terms, term);
  if (term == TERM_TRUE || term == TERM_FALSE) {
    fputs(term == TERM_TRUE ? "true" : "false", file);
    return;
  }
  if (term_negated(term)) fputs("(not ", file);
  if (node->op == NODE_VARIABLE) {
    symbol_write(file, node_variable(terms, node));
  } else if (node->op == NODE_INT) {
    int64_t value = node_int(terms, node);
    if (value < 0)
      fprintf(file, "(- %" PRIu64 ")", -(uint64_t)value);
    else
      fprintf(file, "%" PRId64, value);
  } else {
    fprintf(file, "n%u", term_node(term));
  }
  if (term_negated(term)) fputc(')', file);
}

static const char *node_operator(const Node *node) {
  switch ((NodeOp)node->op) {
  case NODE_AND: return "and";
  case NODE_IFF:
  case NODE_EQUAL: return "=";
  case NODE_ADD: return "+";
  case NODE_SUBTRACT: return "-";
  case NODE_MULTIPLY: return "*";
  case NODE_ITE: return "ite";
  case NODE_LESS: return "<";
  case NODE_SELECT: return "select";
  case NODE_STORE: return "store";
  case NODE_FALSE:
  case NODE_VARIABLE:
  case NODE_INT: break;
  }
  fatal("term operator %d cannot be written", node->op);
}

static void node_define(FILE *file, const Terms *terms, uint32_t number) {
  const Node *node = &terms->nodes.items[number];
  fprintf(file, "(define-fun n%u () %s (%s", number, SORT_NAMES[node->sort], node_operator(node));
  for (uint32_t i = 0; i < node->count; i++) {
    fputc(' ', file);
    term_write(file, terms, node_arguments(terms, node)[i]);
  }
  fputs("))\n", file);
}

static void cone_write(FILE *file, const Terms *terms, const bool *marked) {
  for (uint32_t number = 1; number < terms->nodes.count; number++) {
    const Node *node = &terms->nodes.items[number];
    if (!marked[number] || node->op != NODE_VARIABLE) continue;
    fputs("(declare-fun ", file);
    symbol_write(file, node_variable(terms, node));
    fprintf(file, " () %s)\n", SORT_NAMES[node->sort]);
  }
  for (uint32_t number = 1; number < terms->nodes.count; number++)
    if (marked[number] && node_is_inner(&terms->nodes.items[number])) node_define(file, terms, number);
}

static Dump *dump_open(const char *folder, const char *prefix) {
  Dump *dump = memory_new(sizeof *dump);
  unsigned number = atomic_fetch_add(&dumps_made, 1) + 1;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) fatal("%s: %s", folder, strerror(errno));
  if (asprintf(&dump->path, "%s/%s%04u.smt2", folder, prefix ? prefix : "", number) < 0)
    fatal("out of memory");
  dump->file = fopen(dump->path, "w");
  if (!dump->file) fatal("%s: %s", dump->path, strerror(errno));
  return dump;
}

Dump *dump_begin(const Terms *terms, const char *folder, const char *prefix, const Term *assertions,
                 uint32_t assertion_count, const Term *assumptions, uint32_t assumption_count) {
  Dump *dump = dump_open(folder, prefix);
  const Term *roots[2] = {assertions, assumptions};
  const uint32_t counts[2] = {assertion_count, assumption_count};
  bool *marked = cone_mark(terms, roots, counts);
  fprintf(dump->file, "(set-info :smt-lib-version 2.6)\n(set-info :status ");
  dump->status = ftell(dump->file);
  fprintf(dump->file, "unknown)\n(set-logic %s)\n", cone_logic(terms, marked));
  cone_write(dump->file, terms, marked);
  for (int list = 0; list < 2; list++)
    for (uint32_t i = 0; i < counts[list]; i++) {
      fputs("(assert ", dump->file);
      term_write(dump->file, terms, roots[list][i]);
      if (list)
        fprintf(dump->file, ") ; assumption %u\n", i);
      else
        fputs(")\n", dump->file);
    }
  fputs("(check-sat)\n", dump->file);
  free(marked);
  if (fflush(dump->file) != 0) fatal("%s: %s", dump->path, strerror(errno));
  return dump;
}

void dump_end(Dump *dump, Answer answer) {
  /* As long as the "unknown)" that it replaces. */
  static const char *const STATUS[] = {
      [ANSWER_SAT] = "sat)    ", [ANSWER_UNSAT] = "unsat)  ", [ANSWER_UNKNOWN] = "unknown)"};
  if (fseek(dump->file, dump->status, SEEK_SET) != 0 || fputs(STATUS[answer], dump->file) < 0 ||
      fclose(dump->file) != 0)
    fatal("%s: %s", dump->path, strerror(errno));
  free(dump->path);
  free(dump);
}
