/* interrupt.h: SIGINT and SIGTERM end an audit with a report instead of ending the program. */
#ifndef ALIBI_APP_INTERRUPT_H
#define ALIBI_APP_INTERRUPT_H

#include <stdbool.h>

/* From here on the signals are noted; a second one ends the program as usual. */
void interrupt_catch(void);
bool interrupt_seen(void);

#endif
