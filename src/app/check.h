/* check.h: `alibi check`: its options, as a table (src/base/option.h). */
#ifndef ALIBI_APP_CHECK_H
#define ALIBI_APP_CHECK_H

#include "heuristics/heuristic.h"
#include "src/base/option.h"

#define CHECK_OPTIONS(X)                                                                                     \
  X(TEXT, level, "level", "L", NULL, NULL,                                                                   \
    "the level to check: sser, ser, ssi, si, innodb-rr, pg-rc, innodb-rc, rcs, rc, or a vendor's name "      \
    "(serializable, repeatable-read, snapshot, read-committed); without it the transcript's own, else ser")  \
  X(CHOICE, order, "order", "given|search|auto", "auto", NULL,                                               \
    "which order of the transactions: the given one, any that the evidence allows, or first the one, then "  \
    "the other")                                                                                              \
  X(CHOICE, format, "format", "text|json|junit", "text", "junit", "how to report")                           \
  X(TEXT, witness, "witness", "FILE", NULL, NULL, "write the execution that explains the log: the witness of a correct verdict")\
  X(TEXT, html, "html", "FILE", NULL, "*", "write the report as a page")                                     \
  X(SECONDS, budget, "budget", "SECONDS", NULL, NULL,                                                        \
    "stop after this time and report what was proved so far as unknown")                                     \
  X(WHOLE, memory, "memory", "MB", NULL, NULL,                                                               \
    "stop when the program has grown to this size and report what was proved so far as unknown")             \
  X(TEXT, heuristics, "heuristics", "LIST", "all", NULL,                                                     \
    "which heuristics to use, with commas between them: all, none, paper (h1 to h4) or names; a - before one " \
    "takes it out (all,-blame)" HEURISTICS_HELP)                                                              \
  X(CHOICE, encoding, "encoding", "partial|flat|bmc", "partial", NULL, "how doubt is encoded; flat and bmc: the whole log as one formula, to compare with") \
  X(WHOLE, window, "window", "K", "10", NULL,                                                                \
    "h2: from how many of the newest states a read may come at first, and how many more each time that fails") \
  X(WHOLE, segment, "segment", "N", "2048", NULL,  \
    "forgetting: how many transactions are put in order together, before what is settled of them is forgotten") \
  X(FLAG, fresh, "fresh", NULL, NULL, NULL,                                                                  \
    "no statement reads a state older than the last commit certainly before it (the default for vendors' "   \
    "names where times are given)")                                                                          \
  X(FLAG, stale, "stale", NULL, NULL, NULL, "drop freshness")                                                \
  X(WHOLE, clock_error, "clock-error", "N", "0", NULL,                                                       \
    "the clocks of the hosts may differ: every time is known only to within N")                              \
  X(FLAG, aborted_reads, "aborted-reads", NULL, NULL, NULL,                                                  \
    "what aborted transactions read must be explained at their level, too")                                  \
  X(FLAG, trust_snapshots, "trust-snapshots", NULL, NULL, NULL,                                              \
    "xid and snapshot of transactions are evidence: each reads the state that its snapshot saw")             \
  X(CHOICE, conflicts, "conflicts", "writes|values", "writes", NULL,                                         \
    "what counts as a write conflict at si: any write of the same key, or only one that a client could see") \
  X(TEXT, dump_smt, "dump-smt", "DIR", NULL, NULL, "write every query to the solver as SMT-LIB")              \
  X(WHOLE, jobs, "jobs", "N", "2", NULL, "how many threads to use at most: with 2, one reads ahead of the one that checks") \
  X(FLAG, stats, "stats", NULL, NULL, NULL, "print counters: to standard error, or in the JSON report")      \
  X(FLAG, progress, "progress", NULL, NULL, NULL, "report progress also where standard error is no terminal") \
  X(FLAG, quiet, "quiet", NULL, NULL, NULL, "no progress and no warnings")                                   \
  X(FLAG, help, "help", NULL, NULL, NULL, "print this help")

typedef struct CheckOptions {
  CHECK_OPTIONS(OPTION_FIELD)
} CheckOptions;

OptionTable check_options(void);

int check_main(int argc, char **argv);

#endif
