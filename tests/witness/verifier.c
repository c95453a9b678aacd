/* verifier.c: verifies witnesses with what the replayer needs and nothing else: linked without Z3, encodings
 * and heuristics.  `verifier LOG WITNESS [LOG WITNESS ...]` prints one line for each pair: the exit code that
 * `alibi verify` would have, and why. */
#include "levels/verify.h"

#include <stdio.h>

int main(int argc, char **argv) {
  int worst = argc < 3 || argc % 2 == 0 ? 2 : 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    Verified result;
    verify(argv[i], argv[i + 1], NULL, &result);
    printf("%d %s\n", (int)result.answer,
           result.answer == CONFIRM_BAD ? result.diag.message
           : result.reason              ? result.reason
                                        : "holds");
    if ((int)result.answer > worst) worst = (int)result.answer;
    verified_free(&result);
  }
  return worst;
}
