// Time and signals: all waiting is done here.
#ifndef WAIT_H
#define WAIT_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

/** Milliseconds since the program began, by a monotonic clock. */
int64_t spent_ms(void);
/** Starts the clock. Ending signals are delivered only while waiting, so no other code is interrupted. */
void begin_waiting(void);
/** Waits until `fd` is ready (`POLLIN`, `POLLOUT`) or `ms` are spent. A signal goes to `ended_by`. */
bool wait_until(int fd, short events, int64_t ms);
/** The same for several descriptors and for the end of a child. Also returns true after a signal, which the caller must handle. */
bool wait_for_any(struct pollfd *fds, nfds_t count, int64_t ms);
/** The name and number of the received signal; NULL if there is none. */
const char *signal_that_came(int *number);
/** Restores all signal handlers, before another program is executed. */
void end_waiting(void);

/** Called for an ending signal, so that the signal does not choose the exit code. Defined by the program. */
_Noreturn void ended_by(const char *signal);

#endif
