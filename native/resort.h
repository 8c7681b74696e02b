// The last resort: the answer where nothing and nobody could judge. To the letter that of bin/signalbox.cjs.
#ifndef RESORT_H
#define RESORT_H

#include "text.h"

struct answer {
  int exit_code;
  struct bytes out, err;
};

/** The value of an option among the arguments behind `hook`; nothing where it is not given. */
text option(char *const *args, const char *name);

/** Answers, with a line in the project's error log and an entry in the spool. `why` begins with TIMEOUT where time was up. */
struct answer last_resort(char *const *args, text payload, const char *why);
/** The same where there is no memory for more: nobody is asked what was declared, and what can be refused is. Leaves no trace. */
struct answer shortest_resort(char *const *args, text payload, const char *why);

#define TIMEOUT "no answer within"

#endif
