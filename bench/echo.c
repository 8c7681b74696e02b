// The floor: what a process costs that reads its payload and answers. Built with the compiler and flags of the hook.
#include <stdio.h>
#include <unistd.h>

int main(void) {
  static char payload[1 << 20];
  size_t size = 0;
  for (ssize_t got; (got = read(0, payload + size, sizeof payload - size)) > 0;) size += (size_t)got;
  static char answer[64];
  int length = snprintf(answer, sizeof answer, "{\"bytes\":%zu}\n", size);
  return write(1, answer, (size_t)length) == length ? 0 : 2;
}
