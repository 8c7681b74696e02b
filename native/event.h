// Which event a payload is about, though it may be cut off or name none.
#ifndef EVENT_H
#define EVENT_H

#include <stdbool.h>

#include "text.h"

struct event {
  text name;
  /** nothing tells that it is no call */
  bool is_unknown;
};

struct payload_clues {
  /** the payload as it came, and where it is JSON */
  text whole, payload;
  /** the event it names, and the one that `--event` gives */
  text named, given;
  /** what the client's calls are called where payloads do not say; NULL: nobody knows */
  const char *unnamed;
  /** the client's payloads never name their event, and name the tool of every call */
  bool names_tools;
};

struct event event_of(const struct payload_clues *clues);

/** What clients call a call that is about to be made: for a client that nobody knows, and for who types it by hand. */
bool is_refusable(text event);

#endif
