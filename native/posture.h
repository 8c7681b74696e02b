// What the policy declared for failures: one word in a file for each project (src/policy/posture.ts).
#ifndef POSTURE_H
#define POSTURE_H

#include "text.h"

struct postures {
  bool closed;
  /** the innermost project that keeps error logs, and which, as written */
  struct bytes folder, logs;
};

/** Asks the folder and all around it. */
void ask_postures(struct postures *postures, text state, text folder);
/** Adds the line to every error log that is kept for this client. Nothing that goes wrong here changes the answer. */
void write_logs(const struct postures *postures, text client, text line);

#endif
