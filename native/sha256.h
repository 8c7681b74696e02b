#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>

/** The first eight bytes of the SHA-256 in hex: the names of failure mode files. */
void sha256_name(const void *bytes, size_t size, char name[17]);

#endif
