// The conversation with a daemon: one request, one reply.
#ifndef TALK_H
#define TALK_H

#include "text.h"

/** Longer payloads are not for it. */
enum { LONGEST_ASKED = 64 << 20 };

enum talk {
  TO_ONE_SHOT,
  /** it said nothing for so long */
  SILENT,
  /** another one may be started */
  GONE,
};

/** Asks the daemon that was found. Prints its answer and ends, or says why there is none. */
enum talk talk(text here);

#endif
