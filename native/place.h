// Where things are: as the program itself finds them (src/runtime/folders.ts).
#ifndef PLACE_H
#define PLACE_H

#include "text.h"

extern char **environ;

/** Where this process is, even if that was deleted. */
void append_here(struct bytes *to);
/** The folder of state, absolute. */
void append_state(struct bytes *to);
/** Is there a folder that others own, or may write to? (`whyForeign`) */
bool is_foreign(const char *path);
/** Folder by folder, for this user only. */
bool make_folder(const char *path);
/** All of a file that is not too long. False if it cannot be read. */
bool append_file(struct bytes *to, int folder, const char *name, size_t most);

#endif
