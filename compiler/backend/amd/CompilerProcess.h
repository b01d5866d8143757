// The processes of gluond-amdgpu. Internal to backend/amd/.
//
// Starting one takes as long as compiling a small kernel. Therefore one that has done its job waits
// for the next; as many are kept as threads compiled at the same time.
#pragma once

#include "support/Cancellation.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::backend::amd {

// Has the program at `path` do a job (Jobs.h). The error is the program's, or says how it ended. A
// process is killed when `token` is cancelled in the middle of its job, and after ten minutes.
tl::expected<std::string, std::string> doJob(const std::string& path,
                                             llvm::ArrayRef<llvm::StringRef> words,
                                             llvm::StringRef input, const CancellationToken& token);

} // namespace gluond::backend::amd
