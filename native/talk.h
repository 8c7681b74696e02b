// Talks to a daemon: one request, one reply.
#ifndef TALK_H
#define TALK_H

#include "text.h"

/** Longer payloads are not sent to a daemon. */
enum { LONGEST_ASKED = 64 << 20 };

enum talk {
  TO_ONE_SHOT,
  /** the daemon did not answer in time */
  SILENT,
  /** the daemon is gone: another may be started */
  GONE,
};

/** Asks the found daemon. Prints its answer and exits, or returns why there is none. */
enum talk talk(text here);

#endif
