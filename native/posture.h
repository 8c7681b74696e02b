// The declared failure mode: one word in a file for each project (src/policy/load.ts).
#ifndef POSTURE_H
#define POSTURE_H

#include "text.h"

struct postures {
  bool closed;
  /** when the newest file was written, in milliseconds since 1970; 0 if there is none */
  int64_t newest;
  /** the innermost project that keeps error logs, and its logs as written */
  struct bytes folder, logs;
};

/** Reads the stored failure modes of the folder and its parents, and policy files that are newer. */
void ask_postures(struct postures *postures, text state, text folder);
/** Whether a call is denied on failure. Reads the user's and the managed policy too. */
bool is_closed(const struct postures *postures);
void release_postures(struct postures *postures);
/** Adds the line to every error log kept for this client. Errors here do not change the answer. */
void write_logs(const struct postures *postures, text client, text line);

#endif
