// What the policy declared for failures: one word in a file for each project (src/policy/failure-mode.ts).
#ifndef POSTURE_H
#define POSTURE_H

#include "text.h"

struct postures {
  bool closed;
  /** when the newest of them was written, in milliseconds since 1970; 0 where none was */
  int64_t newest;
  /** the innermost project that keeps error logs, and which, as written */
  struct bytes folder, logs;
};

/** Asks the folder and all around it: what was kept of its policy, and a policy that is newer than that. */
void ask_postures(struct postures *postures, text state, text folder);
/** Is a call refused on failure? Asks the policies of the user and of the machine too. */
bool is_closed(const struct postures *postures);
void release_postures(struct postures *postures);
/** Adds the line to every error log that is kept for this client. Nothing that goes wrong here changes the answer. */
void write_logs(const struct postures *postures, text client, text line);

#endif
