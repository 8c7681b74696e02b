// Time and signals: all waiting of the program is done here.
#ifndef WAIT_H
#define WAIT_H

#include <stdbool.h>
#include <stdint.h>

/** Milliseconds since the program began, by a clock that nobody sets. */
int64_t spent_ms(void);
/** Begins the clock, and hears SIGTERM, SIGINT and SIGHUP only while waiting: nothing is interrupted in the middle. */
void begin_waiting(void);
/** Until `fd` is ready (`POLLIN`, `POLLOUT`) or so many milliseconds are spent. A signal goes to `ended_by`. */
bool wait_until(int fd, short events, int64_t ms);
/** A signal that came while nobody waited goes to `ended_by` too. Then all signals are as they were found. */
void end_waiting(void);

/** Who ends the program in the middle does not choose the exit code. Given by the program. */
_Noreturn void ended_by(const char *signal);

#endif
