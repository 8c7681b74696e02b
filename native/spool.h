// Answers that are not recorded yet: one file each, which the next process that opens the store moves into the audit log.
#ifndef SPOOL_H
#define SPOOL_H

#include "text.h"

/** Writes the entry completely or not at all, within a limit. Errors here do not change the answer. */
void write_spool(text state, text entry);
/** Counts a call of this client that passed unjudged without any notice. */
void count_unjudged(text state, text client);
/** Milliseconds since 1970. */
long long now_ms(void);
/** The time as `toISOString` writes it. */
const char *now_in_words(char *to, size_t size);

#endif
