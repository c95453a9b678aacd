/* address.h: the parts of a URL: scheme://[user[:password]@][host][:port]/database[?socket=FILE]. */
#ifndef ALIBI_LIVE_ADDRESS_H
#define ALIBI_LIVE_ADDRESS_H

#include "src/base/arena.h"
#include "src/base/diag.h"

/* What the URL does not say is NULL, or port 0. */
typedef struct Address {
  const char *user, *password, *host, *database, *socket;
  unsigned port;
} Address;

Address address_parse(Arena *arena, const char *url);
/* "url: message", without the password and without blanks at the end.  Always false. */
bool address_fail(const char *url, const char *message, Diag *diag);

#endif
