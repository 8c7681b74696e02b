// Finds the daemon (folder, token, socket) and starts one.
#ifndef DAEMON_H
#define DAEMON_H

#include "text.h"

enum availability {
  /** a daemon may be there; after `connect_daemon`, we are connected to a daemon of this user in our namespaces */
  AVAILABLE,
  /** no daemon: one may be started */
  NOT_RUNNING,
  /** this call may not ask a daemon, and starting one would not help */
  UNUSABLE,
};

struct daemon {
  enum availability availability;
  int socket;
  /** the daemon's folder, and the folder this process was in before */
  int folder, back;
  struct bytes token;
};

/** Finds the daemon's folder and token, which are needed before connecting. */
struct daemon find_daemon(text state);
/** Connects to a found daemon. Leaves the process in its folder: socket paths are limited to about 100 bytes, folder paths are not. */
enum availability connect_daemon(struct daemon *daemon);
/** Returns to the previous folder. */
void leave_daemon(struct daemon *daemon);
/** Notes that the daemon did not answer, so that the next calls do not wait for it. */
void mark_silent(const struct daemon *daemon);
/** Starts a daemon, detached and without our descriptors. One at a time, and not again at once if it did not help. */
void start_daemon(text state, const char *launcher);

#endif
