/* certify_operation.c: what the place of an operation in its transaction says about its reads. */
#include "semantics/certify.h"

#include <string.h>
#include <strings.h>

bool text_takes(const char **text, const char *word) {
  while (**text == ' ' || **text == '\n' || **text == '\t') ++*text;
  size_t length = strlen(word);
  if (strncasecmp(*text, word, length) != 0) return false;
  *text += length;
  return true;
}

/* Is there a ROLLBACK TO behind the operation that undoes it?  Its savepoint stands before it. */
bool operation_is_undone(const Transaction *transaction, uint32_t index) {
  for (uint32_t i = index + 1; i < transaction->operation_count; i++) {
    const char *text = transaction->operations[i].sql;
    if (!text || !text_takes(&text, "rollback")) continue;
    if (!text_takes(&text, "work")) text_takes(&text, "transaction");
    text_takes(&text, "to");
    text_takes(&text, "savepoint");
    text_takes(&text, "");
    for (uint32_t k = i; k-- > 0;) {
      const char *point = transaction->operations[k].sql;
      if (!point || !text_takes(&point, "savepoint") || !text_takes(&point, "")) continue;
      size_t length = strcspn(text, " ;\n\t");
      if (strncasecmp(point, text, length) != 0 || strcspn(point, " ;\n\t") != length) continue;
      if (k < index) return true;
      break;
    }
  }
  return false;
}

bool operation_fails_by_key(const Dialect *dialect, const Operation *operation) {
  if (!operation->error) return false;
  ErrorSet set = error_set_of(dialect, operation->error, strlen(operation->error));
  return set & (ERROR_BIT(ERROR_UNIQUE) | ERROR_BIT(ERROR_FOREIGN_KEY));
}
