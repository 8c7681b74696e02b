// Finds the event of a payload that may be cut off or may not name its event.
#ifndef EVENT_H
#define EVENT_H

#include <stdbool.h>

#include "text.h"

struct event {
  text name;
  /** nothing shows that it is not a call */
  bool is_unknown;
};

struct payload_clues {
  /** the payload as received, and the payload if it is valid JSON */
  text whole, payload;
  /** the event that the payload names, and the event from `--event` */
  text named, given;
  /** the event name of this client's calls if payloads do not name it; NULL if unknown */
  const char *unnamed;
  /** the client's payloads never name their event, but always name the tool of a call */
  bool names_tools;
};

struct event event_of(const struct payload_clues *clues);

/**
 * Whether a payload carries a call although its event is not one of the client's: a newer version of the agent may have such an event.
 * Not if its name or a result shows that the call was made.
 */
bool carries_unknown_call(text event, text whole, text payload);

/** Event names of a call about to be made, for unknown clients and manual calls. */
bool is_refusable(text event);

#endif
