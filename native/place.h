// Where things are: as the program itself finds them (src/hook/services/folders.ts).
#ifndef PLACE_H
#define PLACE_H

#include "text.h"

extern char **environ;

/** Where this process is, even if that was deleted. */
void append_here(struct bytes *to);
/** The folder of state, absolute. */
void append_state(struct bytes *to);
/** Is there a folder that others own, or may write to? (`unsafeFolderReason`) */
bool is_foreign(const char *path);
/** The user's own policy. */
void append_user_policy(struct bytes *to);
/** Folder by folder, for this user only. */
bool make_folder(const char *path);
/** As much of a file as `most`. False, and `errno` why, if it cannot be read. */
bool append_file(struct bytes *to, int folder, const char *name, size_t most);

#endif
