/* limit.h: how long and with how much memory this may go on.
 *
 * One pair of limits for the process, set by whoever runs the audit and asked at the safe points of every long loop:
 * between lines, rows, rounds of a procedure, ways and questions.  Who is told of a limit gives up what it does as
 * not decided; nothing is ever claimed because a limit was reached.
 *
 * M1  Once reached, a limit stays reached until limits are set anew: what was cut short is not taken up again. */
#ifndef ALIBI_BASE_LIMIT_H
#define ALIBI_BASE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

/* `seconds` from now on, negative: any; `megabytes` of resident memory, negative: any. */
void limit_set(double seconds, int64_t megabytes);
/* Why it must end, or NULL.  The text lives until the limits are set anew. */
const char *limit_reached(void);

extern uint32_t limit_ticks;
/* The same for inner loops: looks only now and then. */
static inline const char *limit_tick(void) {
  return (++limit_ticks & 1023) == 0 ? limit_reached() : (const char *)0;
}

#endif
