/* baseline_value.c: SQL values as integer terms (I2).
 *
 * Texts are compared for equality only; two that a collation takes for equal though they differ are outside of
 * the fragment. */
#include "encodings/baseline_internal.h"

#include "semantics/operate.h"
#include "src/base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <strings.h>

static const double MOST = 4e18; /* what surely fits 64 bits */

Symbol symbol_truth(Term value, Term is_null) {
  return (Symbol){.value = value, .is_null = is_null, .kind = SYMBOL_TRUTH};
}

static Symbol symbol_null(Baseline *baseline) {
  return (Symbol){.value = term_int(baseline->terms, 0), .is_null = TERM_TRUE};
}

static Symbol symbol_number(Baseline *baseline, int64_t value, uint8_t scale) {
  return (Symbol){.value = term_int(baseline->terms, value),
                  .is_null = TERM_FALSE,
                  .kind = SYMBOL_NUMBER,
                  .scale = scale,
                  .bound = fabs((double)value)};
}

/* Equal to another text in a way that bytes do not show: case, accents, trailing blanks. */
static bool texts_blur(Value a, Value b) {
  while (a.length && a.text[a.length - 1] == ' ') a.length--;
  while (b.length && b.text[b.length - 1] == ' ') b.length--;
  bool is_plain = true;
  for (uint32_t i = 0; i < a.length; i++) is_plain &= !(a.text[i] & 0x80);
  for (uint32_t i = 0; i < b.length; i++) is_plain &= !(b.text[i] & 0x80);
  if (!is_plain) return true; /* accents: not decided here */
  return a.length == b.length && strncasecmp(a.text, b.text, a.length) == 0;
}

static Symbol symbol_text(Baseline *baseline, Value value) {
  uint32_t place = 0;
  for (; place < baseline->texts.count; place++) {
    Value other = baseline->texts.items[place];
    if (other.length == value.length && memcmp(other.text, value.text, value.length) == 0) break;
    if (texts_blur(other, value)) baseline_refuse(baseline, "texts that a collation may take for equal");
  }
  if (place == baseline->texts.count) ARRAY_PUSH(&baseline->texts, value_copy(&baseline->memory, value));
  return (Symbol){.value = term_int(baseline->terms, place), .is_null = TERM_FALSE, .kind = SYMBOL_TEXT};
}

Symbol symbol_constant(Baseline *baseline, Value value) {
  switch (value.kind) {
  case VALUE_NULL: return symbol_null(baseline);
  case VALUE_INT:
    if (fabs((double)value.integer) < MOST) return symbol_number(baseline, value.integer, 0);
    break;
  case VALUE_DECIMAL:
    if (fabs((double)value.integer) < MOST) return symbol_number(baseline, value.integer, value.scale);
    break;
  case VALUE_TEXT: return symbol_text(baseline, value);
  case VALUE_BOOL: return symbol_truth(term_constant(value.integer != 0), TERM_FALSE);
  default: break;
  }
  baseline_refuse(baseline, "a value of kind %s", value_kind_name(value.kind));
  return symbol_null(baseline);
}

/* ---- What was observed ------------------------------------------------------------------------------- */

static bool digits_of(const Observed *observed, Decimal *decimal) {
  char buffer[32];
  bool overflow = false;
  const char *text = observed->text;
  size_t length = observed->text_length;
  if (observed->value.kind == VALUE_INT) {
    length = (size_t)snprintf(buffer, sizeof buffer, "%lld", (long long)observed->value.integer);
    text = buffer;
  } else if (observed->value.kind == VALUE_TEXT) {
    text = observed->value.text;
    length = observed->value.length;
  }
  return text && decimal_parse(text, length, decimal, &overflow) && !overflow;
}

/* The observation at the model's kind and scale.  Not possible: no value of the model's shows so. */
Symbol symbol_observed(Baseline *baseline, const Observed *observed, const Symbol *model, bool *is_possible) {
  Decimal decimal;
  if (observed->value.kind == VALUE_NULL || model->kind == SYMBOL_NULL) {
    *is_possible &= observed->value.kind == VALUE_NULL;
    return symbol_null(baseline);
  }
  if (model->kind == SYMBOL_TEXT && observed->value.kind == VALUE_TEXT)
    return symbol_text(baseline, observed->value);
  bool is_number = model->kind == SYMBOL_NUMBER &&
                   (observed->value.kind == VALUE_INT || observed->value.kind == VALUE_TEXT ||
                    (observed->value.kind == VALUE_DOUBLE && !model->scale));
  if (!is_number) {
    baseline_refuse(baseline, "an observed value of kind %s", value_kind_name(observed->value.kind));
    return symbol_null(baseline);
  }
  *is_possible &= digits_of(observed, &decimal);
  if (!*is_possible) return symbol_null(baseline);
  for (; decimal.scale > model->scale; decimal.scale--) {
    *is_possible &= decimal.coefficient % 10 == 0;
    decimal.coefficient /= 10;
  }
  Int128 most = (Int128)MOST;
  for (; decimal.scale < model->scale && decimal.coefficient < most && decimal.coefficient > -most;
       decimal.scale++)
    decimal.coefficient *= 10;
  *is_possible &= decimal.coefficient < most && decimal.coefficient > -most;
  return *is_possible ? symbol_number(baseline, (int64_t)decimal.coefficient, model->scale)
                      : symbol_null(baseline);
}

/* ---- Together ------------------------------------------------------------------------------------------ */

static bool symbol_rescale(Baseline *baseline, Symbol *symbol, uint8_t scale) {
  for (; symbol->scale < scale; symbol->scale++) {
    symbol->value = term_multiply(baseline->terms, symbol->value, term_int(baseline->terms, 10));
    symbol->bound *= 10;
  }
  return symbol->bound < MOST || baseline_refuse(baseline, "a number that may not fit 64 bits");
}

/* To one kind and scale. */
bool symbols_align(Baseline *baseline, Symbol *a, Symbol *b) {
  if (a->kind == SYMBOL_NULL) a->kind = b->kind, a->scale = b->scale;
  if (b->kind == SYMBOL_NULL) b->kind = a->kind, b->scale = a->scale;
  if (a->kind == SYMBOL_TRUTH || b->kind == SYMBOL_TRUTH) {
    if (a->kind == b->kind) {
      if (a->is_null == TERM_TRUE) a->value = TERM_FALSE;
      if (b->is_null == TERM_TRUE) b->value = TERM_FALSE;
      return true;
    }
  }
  if (a->kind != b->kind) return baseline_refuse(baseline, "values of different kinds together");
  if (a->kind != SYMBOL_NUMBER) return true;
  uint8_t scale = a->scale > b->scale ? a->scale : b->scale;
  return symbol_rescale(baseline, a, scale) && symbol_rescale(baseline, b, scale);
}

Symbol symbol_ite(Baseline *baseline, Term condition, Symbol a, Symbol b) {
  if (condition == TERM_TRUE) return a;
  if (condition == TERM_FALSE) return b;
  if (!symbols_align(baseline, &a, &b)) return a;
  Symbol result = a;
  result.value = term_ite(baseline->terms, condition, a.value, b.value);
  result.is_null = term_ite(baseline->terms, condition, a.is_null, b.is_null);
  result.bound = a.bound > b.bound ? a.bound : b.bound;
  return result;
}

Term symbol_same(Baseline *baseline, Symbol a, Symbol b) {
  Terms *terms = baseline->terms;
  if (!symbols_align(baseline, &a, &b)) return TERM_FALSE;
  Term both = term_and(terms, a.is_null, b.is_null);
  Term neither = term_and(terms, term_not(terms, a.is_null), term_not(terms, b.is_null));
  return term_or(terms, both, term_and(terms, neither, term_equal(terms, a.value, b.value)));
}

/* The largest that a type holds, as it is stored. */
static double type_most(Type type) {
  if (type.kind == TYPE_INT) return pow(2, 8 * type.bytes - 1) - 1;
  if (type.kind == TYPE_DECIMAL) return pow(10, type.precision) - 1;
  return MOST;
}

Symbol symbol_store(Baseline *baseline, Symbol symbol, Type type, const char *name) {
  bool is_dynamic = type.kind == TYPE_DYNAMIC;
  bool is_number = type.kind == TYPE_INT || type.kind == TYPE_DECIMAL ||
                   (is_dynamic && (type.affinity == AFFINITY_INTEGER || type.affinity == AFFINITY_NONE));
  bool is_text = (type_is_text(type) && type.kind != TYPE_CHAR) || (is_dynamic && type.affinity == AFFINITY_TEXT);
  uint8_t scale = type.kind == TYPE_DECIMAL ? type.scale : 0;
  if (symbol.is_null == TERM_TRUE) {
    symbol.kind = is_number ? SYMBOL_NUMBER : SYMBOL_TEXT;
    symbol.value = term_int(baseline->terms, 0);
    symbol.scale = scale;
    return symbol;
  }
  bool fits = (symbol.kind == SYMBOL_NUMBER && is_number) || (symbol.kind == SYMBOL_TEXT && is_text);
  if (!fits || type.is_unsigned) {
    char words[64];
    baseline_refuse(baseline, "a value stored as %s in '%s'", type_text(type, words, sizeof words), name);
    return symbol;
  }
  if (is_text && type.length) { /* as long as it may be, if every text so far is */
    for (uint32_t i = 0; i < baseline->texts.count; i++)
      if (baseline->texts.items[i].length > type.length) baseline_refuse(baseline, "a text that may be too long");
    return symbol;
  }
  if (symbol.scale > scale) baseline_refuse(baseline, "rounding in '%s'", name);
  if (!symbol_rescale(baseline, &symbol, scale)) return symbol;
  if (symbol.bound > type_most(type)) baseline_refuse(baseline, "a value that may be out of range in '%s'", name);
  return symbol;
}
