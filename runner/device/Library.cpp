#include "runner/device/Library.h"

#include <cstdlib>
#include <dlfcn.h>

namespace gluond::runner::device {

void* Library::find(const char* symbol) const {
  return dlsym(handle, symbol);
}

tl::expected<Library, CannotOpen> openLibrary(const char* variable, const char* what,
                                              std::vector<std::string> candidates) {
  if (const char* given = std::getenv(variable); given && *given) candidates = {given};
  std::string tried;
  for (const std::string& candidate : candidates) {
    if (void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL))
      return Library{handle, candidate};
    const char* why = dlerror();
    tried += (tried.empty() ? "" : ", ") + candidate;
    if (candidates.size() == 1 && why) tried += std::string(" (") + why + ")";
  }
  return tl::unexpected(
      CannotOpen{true, std::string("there is no ") + what + " here; looked for " + tried});
}

} // namespace gluond::runner::device
