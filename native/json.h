// The part of JSON that the last resort needs: validate, read a member, write a string.
#ifndef JSON_H
#define JSON_H

#include "text.h"

bool is_json(text json);
/** A member of an object in valid JSON, as written. If several have the same name, the last counts. */
bool member_of(text object, const char *name, text *value);
/** Takes the first item off a list in valid JSON. Pass the whole list first. */
bool next_item(text *list, text *item);
/** Decodes a JSON string, up to a length that no name or path has. False if the value is no string. A lone surrogate becomes U+FFFD. */
bool append_decoded(struct bytes *to, text value);
/** Writes a string as `JSON.stringify` does, with its quotes. Invalid UTF-8 is replaced. */
void append_json(struct bytes *to, text string);

#endif
