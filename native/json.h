// As much of JSON as the last resort needs: is it valid, what is this member, how is that written.
#ifndef JSON_H
#define JSON_H

#include "text.h"

bool is_json(text json);
/** A member of an object in valid JSON: as written; of several with the same name the last, as everywhere. */
bool member_of(text object, const char *name, text *value);
/** Takes the first item off a list in valid JSON. Begin with the whole of it. */
bool next_item(text *list, text *item);
/** What a string in valid JSON says, up to a length that no name and no path has. False if the value is none. Half a surrogate pair is U+FFFD. */
bool append_said(struct bytes *to, text value);
/** As `JSON.stringify` writes it, with its quotes. What is no UTF-8 is replaced. */
void append_json(struct bytes *to, text string);

#endif
