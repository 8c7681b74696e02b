#define _GNU_SOURCE
#include "daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "place.h"

/** How long, in milliseconds, a new daemon waits for the call that started it, so that the two do not compete, and its poll interval. */
enum { HOOK_END_MS = 400, LOOK_EVERY = 4 };

/** In seconds: no second start, and no request to a daemon that hangs. */
enum { START_AGAIN = 30, SILENT_FOR = 3, LONGEST_STAMP = START_AGAIN };

static int open_folder(const char *path) { return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

/** A stamp is a file with a time in the future. A time too far ahead comes from a wrong clock and does not count. */
static bool is_in_future(const struct stat *stamp) {
  time_t now = time(NULL);
  return stamp->st_mtime > now && stamp->st_mtime - now <= LONGEST_STAMP;
}

static void set_in_future(int file, int seconds) {
  struct timespec until = {.tv_sec = time(NULL) + seconds};
  futimens(file, (struct timespec[]){until, until});
}

/** Only this user can create a socket in the folder. */
static bool is_ours(int folder) {
  struct stat found;
  return fstat(folder, &found) == 0 && found.st_uid == geteuid() && (found.st_mode & 077) == 0;
}

/** The peer is a process of this user in a visible pid namespace, so not in another container. */
static bool is_own_user(int connection) {
#ifdef __linux__
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid() && peer.pid != 0;
#else
  uid_t user;
  gid_t group;
  return getpeereid(connection, &user, &group) == 0 && user == geteuid();
#endif
}

/** Removes the first line and returns it. */
static text first_line(text *from) {
  const char *end = from->size > 0 ? memchr(from->at, '\n', from->size) : NULL;
  text line = {from->at, end ? (size_t)(end - from->at) : from->size};
  size_t taken = end ? line.size + 1 : line.size;
  *from = (text){from->at + taken, from->size - taken};
  return line;
}

/** True if the line names our own namespace, or is of another kind. */
static bool is_own(text line, const char *kind, const char *link) {
  size_t mark = strlen(kind);
  if (line.size < mark || memcmp(line.at, kind, mark) != 0) return true;
  char own[64];
  ssize_t got = readlink(link, own, sizeof own);
  return got > 0 && (size_t)got == line.size && memcmp(own, line.at, line.size) == 0;
}

/** Lines after the token name the daemon's namespaces. In another namespace, paths mean other files, hooks use another network, or
 * process ids mean other processes. */
static bool is_same_place(struct bytes *token) {
  text rest = text_in(token);
  token->size = first_line(&rest).size;
  while (rest.size > 0) {
    text line = first_line(&rest);
    if (!is_own(line, "mnt:[", "/proc/self/ns/mnt") || !is_own(line, "net:[", "/proc/self/ns/net") ||
        !is_own(line, "pid:[", "/proc/self/ns/pid"))
      return false;
  }
  return true;
}

static int new_socket(void) {
#ifdef __linux__
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
#else
  int made = socket(AF_UNIX, SOCK_STREAM, 0);
  if (made >= 0) {
    fcntl(made, F_SETFD, FD_CLOEXEC);
    fcntl(made, F_SETFL, O_NONBLOCK);
  }
  return made;
#endif
}

static enum availability check_run_folder(struct daemon *daemon) {
  struct stat silent;
  if (!is_ours(daemon->folder)) return UNUSABLE;
  if (fstatat(daemon->folder, "silent", &silent, AT_SYMLINK_NOFOLLOW) == 0 && is_in_future(&silent)) return UNUSABLE;
  if (!append_file(&daemon->token, daemon->folder, "token", 512) || daemon->token.size == 0) return NOT_RUNNING;
  return is_same_place(&daemon->token) ? AVAILABLE : UNUSABLE;
}

enum availability connect_daemon(struct daemon *daemon) {
  daemon->socket = new_socket();
  daemon->back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC
#ifdef O_PATH
                               | O_PATH
#endif
  );
  // do not chdir unless we can fchdir back
  if (daemon->socket < 0 || daemon->back < 0 || fchdir(daemon->folder) != 0) return UNUSABLE;
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
  if (connect(daemon->socket, (struct sockaddr *)&address, sizeof address) != 0)
    // a full queue (EAGAIN) or a sandbox (EPERM) is no reason to start another daemon
    return errno == ENOENT || errno == ECONNREFUSED ? NOT_RUNNING : UNUSABLE;
  return is_own_user(daemon->socket) ? AVAILABLE : UNUSABLE;
}

static struct bytes run_folder(text state) {
  struct bytes path = {0};
  append_text(&path, state);
  append_string(&path, "/run");
  return path;
}

struct daemon find_daemon(text state) {
  struct daemon daemon = {.availability = NOT_RUNNING, .socket = -1, .folder = -1, .back = -1};
  struct bytes path = run_folder(state), whole = {0};
  append_text(&whole, state);
  // the program reports the unsafe folder and denies
  bool foreign = is_foreign(c_string(&whole));
  release(&whole);
  daemon.folder = open_folder(c_string(&path));
  if (foreign) daemon.availability = UNUSABLE;
  else if (daemon.folder >= 0) daemon.availability = check_run_folder(&daemon);
  else if (errno != ENOENT) daemon.availability = UNUSABLE;
  release(&path);
  return daemon;
}

void leave_daemon(struct daemon *daemon) {
  if (daemon->socket >= 0) close(daemon->socket);
  if (daemon->back >= 0 && fchdir(daemon->back) != 0) {
    // the folder can no longer be entered: the next program uses `PWD`
  }
  if (daemon->back >= 0) close(daemon->back);
  daemon->socket = daemon->back = -1;
}

void mark_silent(const struct daemon *daemon) {
  int file = openat(daemon->folder, "silent", O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
  if (file < 0) return;
  set_in_future(file, SILENT_FOR);
  close(file);
}

/** If many calls find no daemon, only one starts it. */
static bool may_start(const char *path) {
  int folder = make_folder(path) ? open_folder(path) : -1;
  bool may = false;
  if (folder < 0) return false;
  int stamp = is_ours(folder) ? openat(folder, "start", O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600) : -1;
  if (stamp >= 0) {
    struct stat found;
    // a new stamp has the current time, so it is not ahead
    if (flock(stamp, LOCK_EX | LOCK_NB) == 0 && fstat(stamp, &found) == 0 && !is_in_future(&found)) {
      set_in_future(stamp, START_AGAIN);
      may = true;
    }
    close(stamp);
  }
  close(folder);
  return may;
}

static bool is_kept(const char *variable) {
  static const char *const names[] = {"PATH=", "HOME=", "LANG=", "XDG_", "SIGNALBOX_", NULL};
  // these belong to one task and must not reach the daemon
  if (strncmp(variable, "SIGNALBOX_APPROVAL=", 19) == 0 || strncmp(variable, "SIGNALBOX_TASK=", 15) == 0) return false;
  for (const char *const *name = names; *name; name++)
    if (strncmp(variable, *name, strlen(*name)) == 0) return true;
  return false;
}

static void keep_environment(void) {
  char **kept = environ;
  for (char **variable = environ; *variable; variable++)
    if (is_kept(*variable)) *kept++ = *variable;
  *kept = NULL;
}

/** Closes all descriptors, because a client waits until every holder of its pipes has ended. */
static void close_all(void) {
  int nowhere = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; fd++) {
    if (nowhere >= 0) dup2(nowhere, fd);
    else close(fd);
  }
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0) return;
#endif
  long most = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < (most > 0 && most < 65536 ? most : 65536); fd++) close(fd);
}

static void wait_for_end_of(pid_t hook) {
  struct timespec pause = {.tv_nsec = LOOK_EVERY * 1000000L};
  for (int left = HOOK_END_MS / LOOK_EVERY; left > 0 && kill(hook, 0) == 0; left--) nanosleep(&pause, NULL);
}

static _Noreturn void become_daemon(const char *launcher, pid_t hook) {
  sigset_t none;
  sigemptyset(&none);
  for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  close_all();
  if (chdir("/") != 0) _exit(2);
  umask(077);
  keep_environment();
  wait_for_end_of(hook);
  execv("/bin/sh", (char *const[]){"sh", (char *)(uintptr_t)launcher, "daemon", "serve", NULL});
  _exit(2);
}

void start_daemon(text state, const char *launcher) {
  struct bytes path = run_folder(state);
  bool may = may_start(c_string(&path));
  release(&path);
  pid_t hook = getpid(), child = may ? fork() : -1;
  if (child == 0) {
    // double fork: the daemon gets no parent and cannot acquire a terminal
    setsid();
    if (fork() == 0) become_daemon(launcher, hook);
    _exit(0);
  }
  if (child > 0)
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
}
