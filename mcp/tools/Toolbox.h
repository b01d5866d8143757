// All tools, and calls of them in one folder.
#pragma once

#include "mcp/tools/Tool.h"
#include "support/CurrentWork.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace gluond::mcp {

// The version of the schemas of all arguments and results. It grows when a member is removed or
// changes its meaning; new members do not count.
inline constexpr unsigned schemaVersion = 1;

llvm::ArrayRef<Tool> tools();
const Tool* findTool(llvm::StringRef name); // null if there is none
// Returns name, title, description, inputSchema, outputSchema and annotations.
Json describe(const Tool& tool);

// A larger result is refused, with advice: no model reads it.
inline constexpr size_t maxResultBytes = size_t{256} << 10;

// The files of one folder. Belongs to one thread; what prepare() returns may run on any.
class Toolbox {
public:
  // `settings` are those of the command line.
  Toolbox(lsp::ServedFolder folder, driver::Settings settings);

  // Takes a snapshot of the files for one call, which runs then with a worker of its own. The
  // error of the call is a sentence for the one who wrote the arguments.
  using Call = std::function<Answer<Json>(driver::Worker& worker, WorkSeat seat,
                                          CancellationToken token, Progress progress)>;
  Call prepare(const Tool& tool, Json arguments);

  const lsp::ServedFolder& folder() const { return folder_; }
  driver::Workspace& workspace() { return workspace_; }

private:
  lsp::ServedFolder folder_;
  driver::Settings settings_;
  driver::Workspace workspace_;
  Gpus gpus_;
};

} // namespace gluond::mcp
