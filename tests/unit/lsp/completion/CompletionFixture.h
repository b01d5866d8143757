// A file with a cursor, and what is offered there.
#pragma once

#include "lsp/features/completion/Completion.h"
#include "lsp/features/names/ResolvedName.h"
#include "support/MarkedSource.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gluond::lsp {

inline const std::string imports =
    "from triton.experimental import gluon\nfrom triton.experimental.gluon "
    "import language as ttgl\n"
    "import triton.experimental.gluon.language as gl2\nimport triton\n";

struct Opened {
  MarkedSource source;
  driver::Workspace workspace{driver::Settings{}};
  std::shared_ptr<const driver::Snapshot> snapshot;
  driver::Worker worker;
  NameResolver resolver;
  explicit Opened(llvm::StringRef marked)
      : source(imports + marked.str()), snapshot(open()), resolver(*snapshot, worker, {}) {}
  std::shared_ptr<const driver::Snapshot> open() {
    workspace.open("/w/a.py", 1, source.text);
    return workspace.snapshot();
  }
  const IndexedFile& file() { return *resolver.indexed("/w/a.py"); }
};

inline std::vector<std::string> labels(llvm::StringRef marked, bool plainPython = true) {
  Opened opened(marked);
  std::vector<std::string> result;
  for (const Completion& item :
       completionsAt(opened.resolver, opened.file(), opened.source.point(), {plainPython, false})
           .items)
    result.push_back(item.label);
  return result;
}

inline std::optional<Signature> signature(llvm::StringRef marked) {
  Opened opened(marked);
  return signatureAt(opened.resolver, opened.file(), opened.source.point(), true);
}

// A kernel with a launch, and an aggregate, around the body.
inline std::string kernel(llvm::StringRef body) {
  return "import torch\n"
         "@gluon.aggregate\n"
         "class Ring:\n"
         "  buffer: ttgl.shared_memory_descriptor\n"
         "  count: ttgl.constexpr\n"
         "  @gluon.jit\n"
         "  def slot(self, i):\n"
         "    return self.buffer.index(i)\n"
         "@gluon.jit\n"
         "def k(p, B: ttgl.constexpr):\n"
         "  parent: ttgl.constexpr = ttgl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])\n"
         "  shared: ttgl.constexpr = ttgl.SwizzledSharedLayout(1, 1, 1, [1, 0])\n"
         "  rows = ttgl.arange(0, B, layout=ttgl.SliceLayout(1, parent))\n"
         "  smem = ttgl.allocate_shared_memory(ttgl.float32, [2, B, B], shared)\n"
         "  ring = Ring(smem, 2)\n" +
         body.str() + "x = torch.empty(64, device='cuda')\nk[(1,)](x, 64)\n";
}

} // namespace gluond::lsp
