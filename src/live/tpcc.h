/* tpcc.h: what the parts of the TPC-C workload share: scale, names, the population.
 *
 * [TPC Benchmark C, revision 5.11]; clause numbers in the code refer to it. */
#ifndef ALIBI_LIVE_TPCC_H
#define ALIBI_LIVE_TPCC_H

#include "src/live/workload.h"

enum { TPCC_WAREHOUSES, TPCC_DISTRICTS, TPCC_CUSTOMERS, TPCC_ITEMS, TPCC_ORDERS };

enum { TPCC_NAME_ROOM = 17 };
/* 4.3.2.3: three syllables for a number from 0 to 999. */
void tpcc_last_name(int64_t number, char name[TPCC_NAME_ROOM]);
/* The last names in use go from 0 to this. */
int64_t tpcc_last_number(const Scale *scale);

void tpcc_populate(Population *population, const Scale *scale);

#endif
