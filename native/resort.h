// The last resort: the answer if nothing could judge the call. Identical to that of bin/signalbox.cjs.
#ifndef RESORT_H
#define RESORT_H

#include "text.h"

struct answer {
  int exit_code;
  struct bytes out, err;
};

/** The value of an option in the arguments after `hook`; nothing if absent. */
text option(char *const *args, const char *name);

/** Answers, adds a line to the project's error log, and spools an entry. `why` begins with TIMEOUT after a timeout. */
struct answer last_resort(char *const *args, text payload, const char *why);
/** The same without memory: does not read the declared failure mode, denies what can be denied, and records nothing. */
struct answer shortest_resort(char *const *args, text payload, const char *why);

#define TIMEOUT "no reply within"

#endif
