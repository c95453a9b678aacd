/* clock.h: how much time has passed. */
#ifndef ALIBI_BASE_CLOCK_H
#define ALIBI_BASE_CLOCK_H

double clock_seconds(void); /* monotonic */

#endif
