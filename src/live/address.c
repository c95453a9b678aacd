/* address.c: taking a URL apart.  %XX is decoded in every part.  A password is shown to nobody. */
#include "src/live/address.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* NULL for an empty part, which says nothing. */
static const char *address_part(Arena *arena, const char *text, size_t length) {
  if (!length) return NULL;
  char *part = arena_text(arena, text, length), *next = part;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '%' && i + 2 < length && isxdigit((unsigned char)text[i + 1]) &&
        isxdigit((unsigned char)text[i + 2])) {
      char digits[3] = {text[i + 1], text[i + 2], 0};
      *next++ = (char)strtol(digits, NULL, 16);
      i += 2;
    } else {
      *next++ = text[i];
    }
  }
  *next = 0;
  return part;
}

static void address_login(Arena *arena, Address *address, const char *text, size_t length) {
  const char *colon = memchr(text, ':', length);
  size_t user = colon ? (size_t)(colon - text) : length;
  address->user = address_part(arena, text, user);
  if (colon) address->password = address_part(arena, colon + 1, length - user - 1);
}

static void address_server(Arena *arena, Address *address, const char *text, size_t length) {
  const char *colon = memchr(text, ':', length);
  address->host = address_part(arena, text, colon ? (size_t)(colon - text) : length);
  if (colon) address->port = (unsigned)strtoul(colon + 1, NULL, 10);
}

static void address_options(Arena *arena, Address *address, const char *text) {
  while (*text) {
    size_t length = strcspn(text, "&");
    if (!strncmp(text, "socket=", 7)) address->socket = address_part(arena, text + 7, length - 7);
    text += length;
    text += *text == '&';
  }
}

Address address_parse(Arena *arena, const char *url) {
  Address address = {0};
  const char *text = strchr(url, ':');
  text = text ? text + 1 : url;
  if (!strncmp(text, "//", 2)) text += 2;
  size_t server = strcspn(text, "/?");
  const char *at = memchr(text, '@', server);
  if (at) address_login(arena, &address, text, (size_t)(at - text));
  const char *host = at ? at + 1 : text;
  address_server(arena, &address, host, server - (size_t)(host - text));
  text += server;
  if (*text == '/') {
    text++;
    size_t database = strcspn(text, "?");
    address.database = address_part(arena, text, database);
    text += database;
  }
  if (*text == '?') address_options(arena, &address, text + 1);
  return address;
}

/* What stands between user and host, or behind password=: 0 bytes where there is none. */
static size_t address_secret(const char *url, const char **secret) {
  const char *text = strstr(url, "//"), *option = strstr(url, "password=");
  if (text) text += 2;
  size_t server = text ? strcspn(text, "/?") : 0;
  const char *at = text ? memchr(text, '@', server) : NULL;
  const char *colon = at ? memchr(text, ':', (size_t)(at - text)) : NULL;
  *secret = colon ? colon + 1 : option ? option + strlen("password=") : url;
  if (colon) return (size_t)(at - *secret);
  return option ? strcspn(*secret, "&") : 0;
}

bool address_fail(const char *url, const char *message, Diag *diag) {
  const char *secret;
  size_t hidden = address_secret(url, &secret), length = strlen(message);
  while (length && isspace((unsigned char)message[length - 1])) length--;
  return diag_fail(diag, PLACE_NONE, "%.*s%s%s: %.*s", (int)(secret - url), url, hidden ? "***" : "",
                   secret + hidden, (int)length, message);
}
