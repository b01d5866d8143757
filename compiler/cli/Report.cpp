#include "cli/Render.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::cli {

using diagnostics::Severity;

void Report::add(std::vector<driver::Finding> findings) {
  llvm::move(findings, std::back_inserter(findings_));
}

bool Report::failed() const {
  return count(Severity::Error) + count(Severity::Warning) > 0;
}

unsigned Report::count(Severity severity) const {
  return static_cast<unsigned>(llvm::count_if(
      findings_, [&](const driver::Finding& f) { return f.diagnostic.severity == severity; }));
}

std::string Report::fileName(diagnostics::FileId id) const {
  std::string path = snapshot_->path(id);
  auto it = names_.find(path);
  return it == names_.end() ? path : it->second;
}

std::shared_ptr<const driver::File> Report::file(diagnostics::FileId id) const {
  return snapshot_->found(snapshot_->path(id));
}

} // namespace gluond::cli
