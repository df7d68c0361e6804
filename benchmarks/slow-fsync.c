/*
 * Preloaded (LD_PRELOAD) into a measured process: every fsync and fdatasync sleeps PROCEDO_FSYNC_DELAY_US
 * microseconds after the real call, as on a network disk. When PROCEDO_FSYNC_COUNT names a file, the process
 * leaves there how many calls it made, which proves that the database's calls went through here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static atomic_long calls;

static int delayed(const char *name, int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = real(fd);
  int error = errno;
  const char *delay = getenv("PROCEDO_FSYNC_DELAY_US");
  long us = delay ? atol(delay) : 0;
  struct timespec left = {us / 1000000, us % 1000000 * 1000};
  while (us > 0 && nanosleep(&left, &left) == -1 && errno == EINTR) {
  }
  atomic_fetch_add(&calls, 1);
  errno = error;
  return result;
}

int fsync(int fd) { return delayed("fsync", fd); }

int fdatasync(int fd) { return delayed("fdatasync", fd); }

__attribute__((destructor)) static void leave_count(void) {
  const char *path = getenv("PROCEDO_FSYNC_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&calls));
  fclose(file);
}
