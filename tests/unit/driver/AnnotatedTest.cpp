// Kernels with mistakes in tests/data/diagnostics: each line says what is told of it, and nothing
// else is. Their launches are directives, so nothing but the file is needed.
// `scripts/oracle/check_rejections.py` asks Triton whether it refuses them too.
#include "driver/analysis/Check.h"
#include "files/ReadFile.h"
#include "support/Expectations.h"

#include <filesystem>

namespace gluond::driver {
namespace {

std::vector<std::string> annotatedFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(GLUOND_SOURCE_DIR) +
                                                               "/tests/data/diagnostics"))
    if (entry.path().extension() == ".py") files.push_back(entry.path().stem().string());
  std::sort(files.begin(), files.end());
  return files;
}

class Annotated : public testing::TestWithParam<std::string> {};

TEST_P(Annotated, everyMistakeIsToldAndNothingElse) {
  std::string path =
      std::string(GLUOND_SOURCE_DIR) + "/tests/data/diagnostics/" + GetParam() + ".py";
  Workspace workspace{Settings{}};
  auto snapshot = workspace.snapshot();
  auto file = snapshot->file(path);
  ASSERT_TRUE(file) << path;
  Worker worker;
  auto checked = check(*snapshot, file, worker, {});
  ASSERT_TRUE(checked);
  std::vector<diagnostics::Diagnostic> found;
  for (const Finding& finding : checked->findings)
    if (finding.diagnostic.severity != diagnostics::Severity::Hint)
      found.push_back(finding.diagnostic);
  expectDiagnostics(file->text(), found, path);
}

INSTANTIATE_TEST_SUITE_P(Files, Annotated, testing::ValuesIn(annotatedFiles()),
                         [](const auto& info) { return info.param; });

} // namespace
} // namespace gluond::driver
