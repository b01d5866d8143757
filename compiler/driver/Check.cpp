#include "driver/Check.h"

#include "syntax/SyntaxTree.h"

namespace gluond::driver {

std::optional<std::vector<Finding>> check(const Snapshot& snapshot, const File& file,
                                          Worker& worker, CancellationToken token) {
  auto tree = file.tree(snapshot.names(), token);
  if (!tree) return std::nullopt;
  std::vector<Finding> findings;
  for (const diagnostics::Diagnostic& error : tree->errors())
    findings.push_back({error, "", ""});
  return findings;
}

} // namespace gluond::driver
