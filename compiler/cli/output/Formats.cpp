#include "cli/output/Render.h"

namespace gluond::cli {

llvm::ArrayRef<Format> formats() {
  static constexpr Format all[] = {
      {"json", [](const Report& report, const CheckSummary&) { return renderJson(report); }},
      {"sarif", renderSarif},
      {"github", renderGithub},
      {"gitlab", renderGitlab},
      {"junit", renderJunit}};
  return all;
}

} // namespace gluond::cli
