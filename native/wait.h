// Time and signals: all waiting of the program is done here.
#ifndef WAIT_H
#define WAIT_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

/** Milliseconds since the program began, by a clock that nobody sets. */
int64_t spent_ms(void);
/** Begins the clock, and hears the signals that end programs only while waiting: nothing is interrupted in the middle. */
void begin_waiting(void);
/** Until `fd` is ready (`POLLIN`, `POLLOUT`) or so many milliseconds are spent. A signal goes to `ended_by`. */
bool wait_until(int fd, short events, int64_t ms);
/** The same for many, and for the end of a child. True also where a signal came, which is for the caller to heed. */
bool wait_for_any(struct pollfd *fds, nfds_t count, int64_t ms);
/** Its name and number; NULL while none has come. */
const char *signal_that_came(int *number);
/** All signals as they were found: for who becomes another program. */
void end_waiting(void);

/** Who ends the program in the middle does not choose the exit code. Given by the program. */
_Noreturn void ended_by(const char *signal);

#endif
