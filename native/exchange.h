// Talks to a daemon: one request, one reply.
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "text.h"

/** Longer payloads are not sent to a daemon. */
enum { LONGEST_SENT = 64 << 20 };

enum exchange_result {
  TO_ONE_SHOT,
  /** the daemon did not answer in time */
  SILENT,
  /** the daemon is gone: another may be started */
  GONE,
};

/** Asks the found daemon. Prints its answer and exits, or returns why there is none. */
enum exchange_result exchange(text here);

#endif
