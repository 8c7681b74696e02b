// The script beside this program, which finds Node and starts it.
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include "text.h"

/** Finds the launcher beside this program. `called` is argv[0]. */
void find_launcher(const char *called);
/** The launcher's path; "" if unknown. */
const char *launcher_path(void);
/** Whether the launcher exists. */
bool has_launcher(void);
/** Appends the build that it would run: a daemon of another build is replaced. */
void append_build(struct bytes *to);
/** Executes the launcher. Returns only on failure. */
void become_launcher(char *const *argv, int argc);

#endif
