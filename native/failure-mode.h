// The declared failure mode: one word in a file for each project (src/policy/load.ts).
#ifndef FAILURE_MODE_H
#define FAILURE_MODE_H

#include "text.h"

struct failure_modes {
  bool closed;
  /** when the newest file was written, in milliseconds since 1970; 0 if there is none */
  int64_t newest;
  /** the innermost project that keeps error logs, and its logs as written */
  struct bytes folder, logs;
};

/** Reads the stored failure modes of the folder and its parents, and policy files that are newer. */
void read_failure_modes(struct failure_modes *failure_modes, text state, text folder);
/** Whether a call is denied on failure. Reads the user's and the managed policy too. */
bool is_closed(const struct failure_modes *failure_modes);
void release_failure_modes(struct failure_modes *failure_modes);
/** Adds the line to every error log kept for this client. Errors here do not change the answer. */
void write_logs(const struct failure_modes *failure_modes, text client, text line);

#endif
