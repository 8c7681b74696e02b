// Answers that are on no record yet: a file each, which the next one who opens the store takes into the trail.
#ifndef SPOOL_H
#define SPOOL_H

#include "text.h"

/** Whole or not at all, and never more than the disk should hold. Nothing that goes wrong here changes the answer. */
void write_spool(text state, text entry);
/** Counts a call of this client that passed unjudged, and of which nobody was told. */
void count_unjudged(text state, text client);
/** Milliseconds since 1970. */
long long now_ms(void);
/** The time as `toISOString` writes it. */
const char *now_in_words(char *to, size_t size);

#endif
