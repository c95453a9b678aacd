/* audit.h: the audit of one log, and everything a report says about it. */
#ifndef ALIBI_APP_AUDIT_H
#define ALIBI_APP_AUDIT_H

#include "semantics/replay.h"
#include "heuristics/core.h"
#include "heuristics/search.h"
#include "src/app/check.h"
#include "src/app/evidence.h"
#include "levels/level.h"

/* The levels in use: one as a rule, several where transactions have their own. */
typedef struct LevelUse {
  unsigned plain, fresh; /* sets of LevelIds: bit 1 << id */
  bool is_assumed;       /* nobody named one */
  bool has_default;      /* a transaction without a level of its own was noted */
} LevelUse;

/* Where the time goes.  Reading is told apart from the replay with --stats alone. */
typedef enum Phase {
  PHASE_READING,
  PHASE_REPLAY,
  PHASE_LIFTING, /* the search, without: */
  PHASE_SOLVING,
  PHASE_CERTIFYING,
  PHASE_CORE, /* all of it */
  PHASES
} Phase;

typedef struct Audit {
  const char *log;
  const CheckOptions *options;
  HeuristicSet heuristics;
  Verdict verdict;
  Header header; /* its texts belong to the reader */
  LevelUse levels;
  const char *level_title;  /* "ser", or "mixed" */
  TranscriptReader *reader; /* owned; NULL if it could not be opened */
  Replay *replay;           /* owned; NULL if there was no header */
  Evidence evidence;
  bool has_text_names; /* some transaction's name was written as a string */
  Diag diag;           /* bad input: what and where */
  const char *reason;  /* unknown: why */
  const char *reason_transaction;
  uint32_t reason_operation;
  uint64_t reason_line; /* 0: nowhere in particular */
  uint64_t checked;
  ARRAY(uint8_t) left_out; /* heap: which undecided transactions this run leaves out */
  bool assumes_nothing;    /* this run takes no choice of the database for granted */
  uint32_t runs;           /* so far, over the choices for undecided transactions */
  double started, seconds;
  double phases[PHASES];        /* seconds */
  const Failure *failure;       /* violation: what the report shows */
  Log whole;                    /* the log in memory, where it must be looked at again */
  TranscriptReader *log_reader; /* owned, or NULL */
  uint64_t trusted;             /* committed transactions whose snapshots are evidence */
  const char *distrust;         /* why they are not, where that was asked for; or NULL */
  bool asks_snapshots; /* this question is whether snapshots explain the answers, not whether a serial order
                          does */
  SearchResult search;
  bool has_searched;
  SearchOrder asked;      /* the order of the last search */
  WitnessWriter *witness; /* owned: the serial replay's, while it lasts; or NULL */
  Arena choices_arena;    /* what the database chose in the line in work */
  WitnessChoices choices;
  uint64_t witness_count;
  Core core; /* violation: the observations that cannot all be true */
  bool has_core;
  Map warnings;   /* that were said */
  bool keeps_log; /* it comes from a pipe */
  bool has_flowed; /* the log was tried as a stream, ... */
  bool is_streamed; /* ... and that decided */
  uint64_t suspect;         /* line that the streamed search could not place, or 0 */
  uint64_t suspect_holding; /* then: committed transactions that it explained, as a prefix of the given order */
  const char *flow_reason; /* why it did not, or NULL */
  HeuristicCount flow_count;
  uint64_t transactions; /* where it did: committed ones */
  struct Progress *progress; /* while there is one */
  Arena arena;
} Audit;

/* Reads and replays the log and decides. The audit is kept for the report: audit_free. */
void audit_run(Audit *audit, const char *log, const CheckOptions *options);
void audit_free(Audit *audit);

/* flow.c: the log as a stream, where that is possible and was not tried.  True: it is decided. */
bool audit_flow(Audit *audit);
uint64_t audit_transactions(const Audit *audit); /* committed ones, as far as the log was read */
void audit_warn(const char *message, void *audit);
/* deep.c: the log again, at its levels.  `is_given_possible`: the given order contradicts nothing. */
void audit_deepen(Audit *audit, bool is_given_possible);
/* The same by --encoding flat or bmc alone: the replay's word does not count. */
void audit_ask_baseline(Audit *audit, bool is_given_possible);
bool audit_has_baseline(const Audit *audit);
/* The log in memory, up to and with `last_line` of the given order (0: all of it), if it has at most `most`
 * bytes (0: any number).  False: bad input, or too long. */
bool audit_load(Audit *audit, uint64_t last_line, uint64_t most);
/* Why the audit must end before it is decided, or NULL: a signal, or a limit. */
const char *audit_must_stop(void);
/* How the log is searched, and at which level each transaction. */
SearchOptions audit_search_options(const Audit *audit, SearchOrder order);
TransactionLevel audit_level_of(const void *audit, const Line *line);
/* trust.c: are snapshots evidence?  If that was asked for and cannot be, `distrust` tells why. */
bool audit_trusts(Audit *audit);
/* The log in memory keeps its snapshots, or loses them.  False: bad input. */
bool audit_trust(Audit *audit);
/* Must the snapshots explain the answers, besides what the level asks? */
bool audit_snapshots_bind(const Audit *audit);
TransactionLevel trust_level(TransactionLevel level);
/* core.c: the core of the violation that was found. */
void audit_find_core(Audit *audit);
/* The replay that the failure comes from. */
Replay *audit_failure_replay(const Audit *audit);

TransactionLevel audit_level_of(const void *context, const Line *line);

/* alibi.c: the witness: written beside the serial replay, or from what a search found. */
bool audit_witness_begin(Audit *audit);                  /* false: bad input */
void audit_witness_line(Audit *audit, const Line *line); /* a transaction or a final line, after its replay */
bool audit_witness_searched(Audit *audit); /* another one, of an order that was searched; false: bad input */
void audit_witness_settled(Audit *audit, const Line *line, const WitnessTransaction *found); /* its next transaction */
void audit_witness_end(Audit *audit);                     /* only a correct log has one; trouble is bad input */

/* What each heuristic did for the verdict. */
HeuristicCounts audit_heuristics(const Audit *audit);

/* decide.c: from the replay in the given order at ser to the verdict that was asked for. */
void audit_decide(Audit *audit);
bool audit_name_levels(Audit *audit, const Line *line,
                       Diag *diag); /* a transaction's level; NULL: the header's */
const char *verdict_title(Verdict verdict);

/* Violation: whether a shorter prefix fails could not be decided. */
static inline bool audit_prefix_is_open(const Audit *audit) {
  return audit->has_searched && audit->search.verdict == VERDICT_VIOLATION && !audit->search.is_exact;
}

#endif
