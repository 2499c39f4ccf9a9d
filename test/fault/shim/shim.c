/*
 * Preloaded into a child of the fault tests (LD_PRELOAD). Counts the operations that change a store's files (those whose
 * path begins with $VARVE_SHIM_STORE) and makes the n-th fail. What to do is read from $VARVE_SHIM_CONTROL, a file that
 * both sides map: see shim.ts, which has the same table of fields. With $VARVE_SHIM_JOURNAL every operation is also
 * written there, from which power loss is simulated.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ARMED, FAIL_AT, KIND, MASK, STICKY, COUNTER, FIRED, LAST_OP, FIELDS };
enum { EIO_KIND = 1, ENOSPC_KIND, SHORT_KIND, KILL_KIND, TORN_KIND };
enum { OP_WRITE = 1, OP_SYNC = 2, OP_TRUNCATE = 4, OP_UNLINK = 8, OP_NAME = 16 };

static volatile int64_t *control;
static const char *store;
static size_t store_length;
static int journal = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_ftruncate)(int, off64_t);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);
static int (*real_link)(const char *, const char *);

__attribute__((constructor)) static void start(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_rename = dlsym(RTLD_NEXT, "rename");
  real_link = dlsym(RTLD_NEXT, "link");
  const char *file = getenv("VARVE_SHIM_CONTROL");
  store = getenv("VARVE_SHIM_STORE");
  if (file == NULL || store == NULL) return;
  store_length = strlen(store);
  int descriptor = open(file, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  void *map = mmap(NULL, FIELDS * sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (map != MAP_FAILED) control = map;
  const char *log = getenv("VARVE_SHIM_JOURNAL");
  if (log != NULL) journal = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static const char *tail_of(const char *path) {
  return strncmp(path, store, store_length) == 0 ? path + store_length : NULL;
}

/* What follows the store's own name ("", "-wal", …) when the descriptor is one of its files, else NULL. */
static const char *store_file(int descriptor, char path[PATH_MAX]) {
  if (control == NULL) return NULL;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  return tail_of(path);
}

/* The kind of failure that this operation meets, or 0. */
static int next_fault(int operation) {
  if (!control[ARMED] || !(control[MASK] & operation)) return 0;
  int64_t mine = __atomic_add_fetch(&control[COUNTER], 1, __ATOMIC_SEQ_CST);
  if (mine < control[FAIL_AT] || (mine > control[FAIL_AT] && !control[STICKY])) return 0;
  control[LAST_OP] = operation;
  __atomic_add_fetch(&control[FIRED], 1, __ATOMIC_SEQ_CST);
  if (control[KIND] == KILL_KIND) syscall(SYS_kill, getpid(), SIGKILL);
  return (int)control[KIND];
}

/* One line of JSON a change, with the bytes after it. Called under the lock, so that the order is that of the file's changes. */
static void record(const char *operation, const char *file, int64_t offset, int64_t size, const void *bytes) {
  char head[PATH_MAX + 128];
  int length = snprintf(head, sizeof head, "{\"op\":\"%s\",\"file\":\"%s\",\"offset\":%lld,\"size\":%lld}\n", operation,
                        file, (long long)offset, (long long)size);
  struct iovec parts[2] = {{head, (size_t)length}, {(void *)bytes, bytes == NULL ? 0 : (size_t)size}};
  if (real_writev(journal, parts, 2) < 0) abort();
}

static ssize_t put(int descriptor, const void *bytes, size_t size, off64_t offset) {
  return offset < 0 ? real_write(descriptor, bytes, size) : real_pwrite(descriptor, bytes, size, offset);
}

static ssize_t faulty_write(int descriptor, const void *bytes, size_t size, off64_t offset) {
  char path[PATH_MAX];
  const char *file = store_file(descriptor, path);
  if (file == NULL) return put(descriptor, bytes, size, offset);
  switch (next_fault(OP_WRITE)) {
    case EIO_KIND: errno = EIO; return -1;
    case ENOSPC_KIND: errno = ENOSPC; return -1;
    case SHORT_KIND: if (size > 1) size /= 2; break;
    case TORN_KIND:
      put(descriptor, bytes, size / 2, offset);
      syscall(SYS_kill, getpid(), SIGKILL);
  }
  if (journal < 0) return put(descriptor, bytes, size, offset);
  pthread_mutex_lock(&lock);
  off64_t at = offset < 0 ? lseek64(descriptor, 0, SEEK_CUR) : offset;
  ssize_t written = put(descriptor, bytes, size, offset);
  if (written > 0) record("write", file, at, written, bytes);
  pthread_mutex_unlock(&lock);
  return written;
}

static int faulty_sync(int descriptor, int (*real)(int)) {
  char path[PATH_MAX];
  const char *file = store_file(descriptor, path);
  if (file == NULL) return real(descriptor);
  int fault = next_fault(OP_SYNC);
  if (fault == TORN_KIND) syscall(SYS_kill, getpid(), SIGKILL);
  if (fault != 0) {
    if (journal >= 0) {
      pthread_mutex_lock(&lock);
      record("lost", file, 0, 0, NULL);
      pthread_mutex_unlock(&lock);
    }
    errno = fault == ENOSPC_KIND ? ENOSPC : EIO;
    return -1;
  }
  if (journal < 0) return real(descriptor);
  pthread_mutex_lock(&lock);
  int result = real(descriptor);
  if (result == 0) record("sync", file, 0, 0, NULL);
  pthread_mutex_unlock(&lock);
  return result;
}

static int faulty_truncate(int descriptor, off64_t size) {
  char path[PATH_MAX];
  const char *file = store_file(descriptor, path);
  if (file == NULL) return real_ftruncate(descriptor, size);
  int fault = next_fault(OP_TRUNCATE);
  if (fault == TORN_KIND) syscall(SYS_kill, getpid(), SIGKILL);
  if (fault != 0) {
    errno = fault == ENOSPC_KIND ? ENOSPC : EIO;
    return -1;
  }
  if (journal < 0) return real_ftruncate(descriptor, size);
  pthread_mutex_lock(&lock);
  int result = real_ftruncate(descriptor, size);
  if (result == 0) record("truncate", file, 0, size, NULL);
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t size) { return faulty_write(descriptor, bytes, size, -1); }
ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) { return faulty_write(descriptor, bytes, size, offset); }
ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) { return faulty_write(descriptor, bytes, size, offset); }
int fsync(int descriptor) { return faulty_sync(descriptor, real_fsync); }
int fdatasync(int descriptor) { return faulty_sync(descriptor, real_fdatasync); }
int ftruncate(int descriptor, off_t size) { return faulty_truncate(descriptor, size); }
int ftruncate64(int descriptor, off64_t size) { return faulty_truncate(descriptor, size); }

int unlink(const char *path) {
  const char *file = control == NULL ? NULL : tail_of(path);
  if (file == NULL) return real_unlink(path);
  int fault = next_fault(OP_UNLINK);
  if (fault == TORN_KIND) syscall(SYS_kill, getpid(), SIGKILL);
  if (fault != 0) {
    errno = fault == ENOSPC_KIND ? ENOSPC : EIO;
    return -1;
  }
  if (journal < 0) return real_unlink(path);
  pthread_mutex_lock(&lock);
  int result = real_unlink(path);
  if (result == 0) record("unlink", file, 0, 0, NULL);
  pthread_mutex_unlock(&lock);
  return result;
}

/* A file of the store gets a name, or another one. The journal knows none of these: power-loss tests rename nothing. */
static int faulty_name(const char *from, const char *to, int (*real)(const char *, const char *)) {
  if (control == NULL || (tail_of(from) == NULL && tail_of(to) == NULL)) return real(from, to);
  int fault = next_fault(OP_NAME);
  if (fault == TORN_KIND) syscall(SYS_kill, getpid(), SIGKILL);
  if (fault == 0) return real(from, to);
  errno = fault == ENOSPC_KIND ? ENOSPC : EIO;
  return -1;
}

int rename(const char *from, const char *to) { return faulty_name(from, to, real_rename); }
int link(const char *from, const char *to) { return faulty_name(from, to, real_link); }
