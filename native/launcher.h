// The script beside this program, which finds Node and starts it.
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include "text.h"

/** Where this program is. `called` is how it was called. */
void find_launcher(const char *called);
/** Its path; "" where nobody could tell. */
const char *launcher_path(void);
/** Is it there? */
bool has_launcher(void);
/** Which build it would run: a daemon of another one is replaced. */
void append_build(struct bytes *to);
/** Comes back where it cannot. */
void become_launcher(char *const *argv, int argc);

#endif
