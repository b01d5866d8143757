// Whole files: module, kernels, passes, lints. Launch records and directives beside a program that
// is sound.
#include "driver/analysis/Check.h"

#include "../Target.h"
#include "Checked.h"
#include "driver/workspace/Workspace.h"

namespace gluond::fuzz {

using llvm::StringRef;

namespace {

constexpr StringRef kernels = R"py(import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
BLOCK = gl.constexpr(64)

@gluon.constexpr_function
def twice(x):
    return 2 * x

@gluon.jit
def add_one(x):
    return x + 1

@gluon.aggregate
class Pair:
    left: gl.tensor
    right: gl.constexpr

)py";
constexpr StringRef kernel = R"py(@gluon.jit
def copy(src, dst, n, SIZE: gl.constexpr = 64, layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0]), f: gl.constexpr = add_one):
    offsets = gl.program_id(0) * SIZE + gl.arange(0, SIZE, layout=layout)
    values = gl.load(src + offsets, mask=offsets < n)
    gl.store(dst + offsets, f(values), mask=offsets < n)
)py";

} // namespace

driver::Settings settingsOfFuzzers() {
  driver::Settings settings;
  settings.cacheDirectory = "off";
  settings.useRecords = false;
  settings.evaluationSteps = 60'000;
  settings.evaluationMegabytes = 16;
  return settings;
}

static driver::Settings withRecords(driver::Settings settings, bool hasRecords) {
  if (!hasRecords) return settings;
  settings.useRecords = true;
  settings.recordFiles = {"/gluond-fuzz/program.launches.jsonl"};
  return settings;
}

Checked::Checked(driver::Settings settings, std::string program, std::string records)
    : workspace(withRecords(std::move(settings), !records.empty())) {
  if (!records.empty())
    workspace.open("/gluond-fuzz/program.launches.jsonl", 1, std::move(records));
  workspace.open("/gluond-fuzz/program.py", 1, std::move(program));
  snapshot = workspace.snapshot();
  file = snapshot->file("/gluond-fuzz/program.py");
  expect(file != nullptr, "an open document is not there");
  auto result = driver::check(*snapshot, file, worker, {});
  expect(result.has_value(), "a check was cancelled by nobody");
  for (const driver::Finding& finding : result->findings) {
    expect(!finding.diagnostic.message.empty(), "a finding without words");
    if (finding.diagnostic.location.file != file->id()) continue;
    text::Range range = finding.diagnostic.location.range;
    expect(range.begin <= range.end && range.end <= file->text().text().size(),
           "a finding lies outside the file");
  }
}

void check(StringRef input) {
  Checked(settingsOfFuzzers(), input.str());
}

// `input` is a record file.
void records(StringRef input) {
  Checked(settingsOfFuzzers(), (llvm::Twine(kernels) + kernel).str(), input.str());
}

// `input` is what stands in the comment above a kernel, line by line.
void directives(StringRef input) {
  std::string program = kernels.str() + "# gluond: ";
  for (char c : input) {
    program += c;
    if (c == '\n') program += "# ";
  }
  Checked(settingsOfFuzzers(), program + "\n" + kernel.str());
}

} // namespace gluond::fuzz
