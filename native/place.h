// Finds folders as the program itself does (src/hook/services/hook-services.ts).
#ifndef PLACE_H
#define PLACE_H

#include "text.h"

extern char **environ;

/** The current folder, even if it was deleted. */
void append_here(struct bytes *to);
/** The state folder, as an absolute path. */
void append_state(struct bytes *to);
/** Whether the folder belongs to another user, or others may write to it. (`unsafeFolderReason`) */
bool is_foreign(const char *path);
/** The path of the user's own policy. */
void append_user_policy(struct bytes *to);
/** Creates folder by folder, for this user only. */
bool make_folder(const char *path);
/** Reads at most `most` bytes of a file. Returns false and sets `errno` if it cannot be read. */
bool append_file(struct bytes *to, int folder, const char *name, size_t most);

#endif
