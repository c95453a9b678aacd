/* interrupt.c: the one global of the program: a signal handler can reach nothing else. */
#include "src/app/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t seen;

static void interrupt_note(int signal_number) {
  (void)signal_number;
  seen = 1;
}

void interrupt_catch(void) {
  struct sigaction action = {.sa_handler = interrupt_note,
                             .sa_flags = SA_RESETHAND}; /* no SA_RESTART: reads return */
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

bool interrupt_seen(void) { return seen; }
