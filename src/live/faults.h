/* faults.h: trouble on purpose, so that refused, aborted and unknown transactions really occur.
 *
 *   kill      connections end at COMMIT: the server ends them while it is under way, or the client
 *             breaks off as soon as it was sent
 *   cancel    statements are cancelled
 *   deadlock  two clients change the same two rows in opposite order, each holding the first one
 *             until the other has its own: a transaction of its own kind, `crossing`
 *   restart   a command of the user's restarts the server
 *
 * A thread of its own decides when and whom, on a connection of its own.  Faults come when they
 * come: they are no part of what a seed repeats, which are the transactions. */
#ifndef ALIBI_LIVE_FAULTS_H
#define ALIBI_LIVE_FAULTS_H

#include "src/live/drive.h"

typedef struct Faults Faults;

/* From "kill,cancel" or "all"; NULL: an unknown word, diag tells. */
Faults *faults_new(const char *list, Diag *diag);
/* Are these faults to be had with the run's database and workload?  `rate` is per second. */
bool faults_configure(Faults *faults, Run *run, unsigned rate, const char *restart, Diag *diag);
void faults_free(Faults *faults); /* NULL is fine */

/* The table that deadlocks need. */
void faults_populate(Faults *faults, Population *population);
void faults_start(Faults *faults, Client *clients);
void faults_stop(Faults *faults);
/* False: the server could not be restarted. */
bool faults_went_well(const Faults *faults, Diag *diag);
/* Between two transactions of a client: a crossing, if it is asked to one. */
void faults_cross(Faults *faults, Client *client);

bool faults_have_crossings(const Faults *faults); /* NULL is fine */
void faults_print(const Faults *faults, FILE *file);

#endif
