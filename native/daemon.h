// The daemon's door: its folder, its token, its socket; and how one is started.
#ifndef DAEMON_H
#define DAEMON_H

#include "text.h"

enum door {
  /** there may be one behind it; connected, once it was knocked at, to a daemon of this user, in this place */
  OPEN,
  /** none is there: one may be started */
  NOBODY,
  /** none that this call may ask; starting one would not help */
  SHUT,
};

struct daemon {
  enum door door;
  int socket;
  /** its folder, and the folder this process was in before it went there */
  int folder, back;
  struct bytes token;
};

/** Its folder and its token: what must be known before it is asked. */
struct daemon find_daemon(text state);
/** The door of one that was found. Leaves the process in its folder: the path of a socket is short, that of a folder is not. */
enum door knock(struct daemon *daemon);
/** Back to where the process was. */
void leave_daemon(struct daemon *daemon);
/** It said nothing for so long: the next calls need not find that out again. */
void remember_silence(const struct daemon *daemon);
/** Detached, with nothing of ours. One at a time, and not again at once where it did not help. */
void start_daemon(text state, const char *launcher);

#endif
