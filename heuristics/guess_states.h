/* guess_states.h: guesses about the states that transactions read, in the given order: the seed paper's H2 and
 * H4.
 *
 * H4  A transaction obeys a stronger level than its own.
 * H2  It reads from the newest K states.  Where that fails, from K more, and so on.
 *
 * Each is tried in this order on each transaction.  When one is refuted with all its own guesses withdrawn,
 * the newest guess before it is, those between it and there are pushed again without any, and so on.
 *
 * G1  A refutation is reported only once no guess is in force: the answer is that of a checker without guesses.
 * G2  A guess that changed nothing (checker_was_cut) counts as none: without it the push is the same. */
#ifndef ALIBI_HEURISTICS_GUESS_STATES_H
#define ALIBI_HEURISTICS_GUESS_STATES_H

#include "heuristics/search_internal.h"

/* The next line of the given order, or a final line, under guesses. */
PushAnswer guesses_push(Search *search, const Line *line);

#endif
