/* replay.h: the concrete replayer: an audit at `ser` in the given order.
 *
 * Transactions run one after the other on the Engine; every observation is
 * compared.  The first one that does not match ends the audit with a violation.  Statements
 * that are not modelled are set aside: what they may have written is lost,
 * what depends on it is not checked, and the verdict is at best `unknown`. */
#ifndef ALIBI_SEMANTICS_REPLAY_H
#define ALIBI_SEMANTICS_REPLAY_H

#include "semantics/engine.h"
#include "semantics/match.h"
#include "src/transcript/witness.h"

typedef enum Verdict { VERDICT_CORRECT = 0, VERDICT_VIOLATION = 1, VERDICT_BAD_INPUT = 2, VERDICT_UNKNOWN = 3 } Verdict;

/* A statement that was not checked. */
typedef struct SetAside {
  const char *transaction; /* NULL: a set-up line */
  uint32_t operation;
  uint64_t line;
  const char *sql;
  const char *reason;
  bool is_dependent; /* modelled, but it reads what another one may have written */
} SetAside;

/* Where the audit stopped, kept whole for the report. */
typedef struct Failure {
  bool is_final;             /* a `final` line, not a transaction */
  bool is_joint;             /* no single statement is wrong: it contradicts what others observed */
  const char *contradiction; /* then: what of the order in which it all happened cannot be; or NULL */
  const Transaction *transaction; /* copied; NULL for a final line */
  uint64_t number;           /* the transaction's place among the committed ones, from 1 */
  uint32_t operation;
  uint64_t line;
  const char *table;         /* final lines */
  const TableLine *observed_final;
  Outcome expected;          /* what a correct execution answers; results in the replay's arena */
  Mismatch mismatch;
} Failure;

typedef struct Replay Replay;

Replay *replay_new(const Header *header, const char *file);
void replay_free(Replay *replay);
Engine *replay_engine(Replay *replay);

/* Transactions of unknown status take part or not.  Those that can do either are counted; the caller says which of them
 * (by that count) are left out.  All others take part. `left_out` is borrowed. */
void replay_leave_out(Replay *replay, const uint8_t *left_out, uint32_t count);
uint32_t replay_undecided_count(const Replay *replay);

/* Where the database chose and no observation tells, a replay takes the likely choice; a mismatch behind it is `unknown`.
 * A second replay that assumes nothing, and sets aside what needs such a choice, tells whether it is a violation. */
void replay_assume_nothing(Replay *replay);
bool replay_has_assumed(const Replay *replay);

/* What the database chose by itself is noted here, with the operation whose observation showed it; the caller empties the
 * list between lines.  NULL: it is not noted. */
void replay_note_choices(Replay *replay, Arena *arena, WitnessChoices *choices);
/* The last transaction of unknown status took part. */
bool replay_took_part(const Replay *replay);

/* Takes the next line (of the given order: see src/transcript/order.h).  False: bad input, diag tells.
 * After a violation further lines are only counted. */
bool replay_line(Replay *replay, const Line *line, Diag *diag);
/* From now on transactions and final lines are only counted. */
void replay_only_count(Replay *replay);
bool replay_finish(Replay *replay, Diag *diag);

Verdict replay_verdict(const Replay *replay);
const Failure *replay_failure(const Replay *replay); /* NULL: none */
uint64_t replay_transactions(const Replay *replay);  /* committed ones seen */
bool replay_is_bound(const Replay *replay);          /* its constraints may exclude some of them */
bool replay_is_open(const Replay *replay);           /* the initial state is one of several */
uint64_t replay_checked(const Replay *replay);       /* proved, as a prefix */
uint64_t replay_gaps(const Replay *replay);
const SetAside *replay_set_aside(const Replay *replay, uint64_t *count, uint64_t *kept); /* kept: how many are stored */
/* VERDICT_UNKNOWN: why, and at which transaction (may be NULL) and operation. */
const char *replay_reason(const Replay *replay, const char **transaction, uint32_t *operation, uint64_t *line);

#endif
