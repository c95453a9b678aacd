/* like.c: LIKE and GLOB by backtracking to the last % (or *): linear but for pathological patterns.
 *
 * Where a collation is modelled for ASCII only, a pattern is matched twice: once with every doubtful
 * pair of characters equal, once different.  If both agree, doubt did not matter. */
#include "semantics/like.h"

#include "semantics/text.h"

typedef struct Cursor {
  const char *at, *end;
} Cursor;

static size_t cursor_step(Cursor cursor) { return text_step(cursor.at, (size_t)(cursor.end - cursor.at)); }

static bool characters_equal(LikeRules rules, bool doubtful_equal, const char *a, size_t a_size,
                             const char *b, size_t b_size) {
  if (a_size == b_size && memcmp(a, b, a_size) == 0) return true;
  bool is_ascii = a_size == 1 && b_size == 1 && (unsigned char)*a < 0x80 && (unsigned char)*b < 0x80;
  if (is_ascii) return rules.folds && text_upper(*a) == text_upper(*b);
  return rules.is_partial && doubtful_equal;
}

static bool is_escape(LikeRules rules, Cursor pattern) {
  size_t left = (size_t)(pattern.end - pattern.at);
  if (rules.ends_literal && left == rules.escape_size) return false;
  return rules.escape && left >= rules.escape_size &&
         memcmp(pattern.at, rules.escape, rules.escape_size) == 0;
}

static LikeAnswer like_run(LikeRules rules, bool doubtful_equal, Cursor text, Cursor pattern) {
  Cursor text_retry = {0}, pattern_retry = {0};
  for (;;) {
    bool matched = false;
    if (pattern.at < pattern.end && is_escape(rules, pattern) && text.at < text.end) {
      Cursor literal = {pattern.at + rules.escape_size, pattern.end};
      if (literal.at == literal.end) return LIKE_BAD_ESCAPE;
      size_t size = cursor_step(literal), taken = cursor_step(text);
      if ((matched = characters_equal(rules, doubtful_equal, text.at, taken, literal.at, size))) {
        pattern.at = literal.at + size;
        text.at += taken;
      }
    } else if (pattern.at < pattern.end && *pattern.at == '%' && !is_escape(rules, pattern)) {
      pattern.at++;
      pattern_retry = pattern;
      text_retry = text;
      matched = true;
    } else if (text.at == text.end) {
      return pattern.at == pattern.end ? LIKE_YES : LIKE_NO;
    } else if (pattern.at < pattern.end) {
      size_t size = cursor_step(pattern), taken = cursor_step(text);
      if ((matched = *pattern.at == '_' ||
                     characters_equal(rules, doubtful_equal, text.at, taken, pattern.at, size))) {
        pattern.at += size;
        text.at += taken;
      }
    }
    if (matched) continue;
    if (!pattern_retry.at || text_retry.at == text_retry.end) return LIKE_NO;
    text_retry.at += cursor_step(text_retry);
    text = text_retry;
    pattern = pattern_retry;
  }
}

LikeAnswer like_match(LikeRules rules, const char *text, size_t length, const char *pattern,
                      size_t pattern_length) {
  Cursor subject = {text, text + length}, model = {pattern, pattern + pattern_length};
  LikeAnswer answer = like_run(rules, false, subject, model);
  if (!rules.is_partial || answer == LIKE_BAD_ESCAPE) return answer;
  if (text_is_ascii(text, length) && text_is_ascii(pattern, pattern_length)) return answer;
  return like_run(rules, true, subject, model) == answer ? answer : LIKE_UNSURE;
}

/* ---- GLOB --------------------------------------------------------------------------- */

/* [abc], [a-z], [^...]: advances the pattern behind the bracket; 1, 0, or -1 if it is not closed. */
static int bracket_match(Cursor *pattern, uint32_t code) {
  bool inverted = false, found = false, has_previous = false;
  uint32_t previous = 0;
  Cursor at = {pattern->at + 1, pattern->end};
  if (at.at < at.end && *at.at == '^') inverted = true, at.at++;
  if (at.at < at.end && *at.at == ']') found = code == ']', at.at++;
  for (; at.at < at.end && *at.at != ']';) {
    uint32_t here = text_code(at.at, (size_t)(at.end - at.at));
    size_t size = cursor_step(at);
    bool is_range = here == '-' && has_previous && at.at + 1 < at.end && at.at[1] != ']';
    if (is_range) {
      at.at++;
      here = text_code(at.at, (size_t)(at.end - at.at));
      size = cursor_step(at);
      found |= code >= previous && code <= here;
      has_previous = false;
    } else {
      found |= here == code;
      previous = here;
      has_previous = true;
    }
    at.at += size;
  }
  if (at.at == at.end) return -1;
  pattern->at = at.at + 1;
  return found != inverted;
}

bool glob_match(const char *text, size_t length, const char *pattern, size_t pattern_length) {
  Cursor subject = {text, text + length}, model = {pattern, pattern + pattern_length};
  Cursor text_retry = {0}, pattern_retry = {0};
  for (;;) {
    bool matched = false;
    if (model.at < model.end && *model.at == '*') {
      model.at++;
      pattern_retry = model;
      text_retry = subject;
      continue;
    }
    if (subject.at == subject.end) {
      if (model.at == model.end) return true;
    } else if (model.at < model.end) {
      uint32_t code = text_code(subject.at, (size_t)(subject.end - subject.at));
      size_t taken = cursor_step(subject), size = cursor_step(model);
      if (*model.at == '[') {
        int answer = bracket_match(&model, code);
        if (answer < 0) return false;
        matched = answer;
      } else if ((matched = *model.at == '?' || (taken == size && memcmp(subject.at, model.at, size) == 0))) {
        model.at += size;
      }
      if (matched) subject.at += taken;
    }
    if (matched) continue;
    if (!pattern_retry.at || text_retry.at >= text_retry.end) return false;
    text_retry.at += cursor_step(text_retry);
    subject = text_retry;
    model = pattern_retry;
  }
}
