// Debian's LLVM is not built with AddressSanitizer: what our instrumented copies of its allocator's templates poison, its
// own copies don't unpoison.
const char *__asan_default_options(void) { return "allow_user_poisoning=0:detect_leaks=0"; }
