// The findings of the last whole analysis of a large kernel, at their present places: shown while
// the user types, until the next whole analysis. Internal to driver/.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "driver/workspace/Caches.h"

#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gluond::driver {

// May be called from any thread.
class LastFindings : public Cache {
public:
  // `variant` names a kernel with its launch, `text` is that of its file.
  void keep(const std::string& variant, diagnostics::FileId file, llvm::StringRef text,
            std::vector<diagnostics::Diagnostic> findings);
  // Returns the findings in the file at places that the user did not change since, or nullopt if
  // there was no analysis. Fixes that would change other places are left out.
  std::optional<std::vector<diagnostics::Diagnostic>> at(const std::string& variant,
                                                         llvm::StringRef text);

  void drop(llvm::StringRef path) override;

private:
  struct Kept {
    std::string variant;
    diagnostics::FileId file;
    std::string text;
    std::vector<diagnostics::Diagnostic> findings;
  };
  static constexpr size_t most = 16;
  std::mutex mutex_;
  std::list<Kept> kept_; // the last one first
};

} // namespace gluond::driver
