// What is said about kernels that are written to do harm.
#pragma once

#include "diagnostics/Table.h"
#include "driver/analysis/Check.h"
#include "driver/analysis/Worker.h"
#include "driver/analysis/WorkerPool.h"

#include <string>
#include <vector>

namespace gluond::driver {

inline const std::string imports = "from triton.experimental import gluon\n"
                                   "from triton.experimental.gluon import language as gl\n"
                                   "import torch\n";

inline std::vector<std::string> said(const Snapshot& snapshot, const std::string& path,
                                     Worker& worker) {
  WorkerPool workers(worker);
  std::vector<std::string> lines;
  auto result = check(snapshot, snapshot.file(path), workers, {}, Depth::Full);
  if (!result) return {"nothing"};
  for (const Finding& finding : result->findings) {
    const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
    uint32_t line = snapshot.file(path)->text().lineOf(diagnostic.location.range.begin) + 1;
    lines.push_back(std::to_string(line) + ": [" + diagnostics::slug(diagnostic.id).str() + "] " +
                    diagnostic.message);
  }
  return lines;
}

// What is said about one file.
inline std::vector<std::string> said(const std::string& text, const Settings& settings = {}) {
  Workspace workspace(settings);
  workspace.open("/a.py", 1, text);
  Worker worker;
  return said(*workspace.snapshot(), "/a.py", worker);
}

// A kernel, and a launch of it.
inline std::string kernelOf(const std::string& body, const std::string& launch = "",
                            const std::string& before = "", const std::string& parameters = "") {
  return imports + before + "\n@gluon.jit\ndef kernel(p" + parameters + "):\n" + body +
         "\n\nkernel[(1,)](torch.empty(1024, device='cuda', dtype=torch.int32)" + launch + ")\n";
}

inline std::vector<std::string> saidOf(const std::string& body, const std::string& launch = "",
                                       const std::string& before = "",
                                       const std::string& parameters = "") {
  return said(kernelOf(body, launch, before, parameters));
}

// With four times the time that users have: what is linear ends within it on a slow machine too.
inline std::vector<std::string> saidPatiently(const std::string& body, const std::string& before) {
  Settings settings;
  settings.analysisSeconds *= 4;
  return said(kernelOf(body, "", before), settings);
}

} // namespace gluond::driver
