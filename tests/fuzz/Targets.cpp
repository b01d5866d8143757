#include "Target.h"
#include "support/Parallel.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/thread.h>

#include <cstdio>
#include <cstdlib>

namespace gluond::fuzz {

using llvm::StringRef;

void parse(StringRef);
void evaluate(StringRef);
void check(StringRef);
void kernels(StringRef);
void records(StringRef);
void directives(StringRef);
void layouts(StringRef);
void ttgir(StringRef);
void lowering(StringRef);
void session(StringRef);
void framing(StringRef);
void web(StringRef);
void frames(StringRef);
void settings(StringRef);
void cache(StringRef);
void npy(StringRef);
void notebooks(StringRef);

static constexpr Target all[] = {
    {"parse", Shape::Python, parse, "a file's text, and edits of it"},
    {"evaluate", Shape::Python, evaluate, "a module, run at compile time"},
    {"check", Shape::Python, check, "a whole file: module, kernels, passes, lints"},
    {"kernels", Shape::Kernels, kernels,
     "kernels and the functions that they call, down to LLVM IR"},
    {"records", Shape::JsonLines, records, "launch records beside a kernel"},
    {"directives", Shape::Python, directives, "the comment above a kernel"},
    {"layouts", Shape::Python, layouts, "what `gluond layout` and the panels take"},
    {"ttgir", Shape::Ir, ttgir, "the text of IR"},
    {"lowering", Shape::Ir, lowering, "a kernel's IR, down to PTX"},
    {"session", Shape::JsonLines, session, "messages of a client of the language server"},
    {"framing", Shape::Lines, framing, "its bytes"},
    {"web", Shape::Lines, web, "requests and frames to the port of `gluond serve`"},
    {"frames", Shape::Lines, frames, "bytes between a GPU process and its client"},
    {"settings", Shape::Lines, settings, "a pyproject.toml"},
    {"cache", Shape::Bytes, cache, "an entry of the cache on disk"},
    {"npy", Shape::Bytes, npy, "an array's file"},
    {"notebooks", Shape::JsonLines, notebooks, "a notebook's file, and edits of its cells"},
};

llvm::ArrayRef<Target> targets() {
  return all;
}

const Target* findTarget(StringRef name) {
  const Target* found =
      llvm::find_if(all, [&](const Target& target) { return target.name == name; });
  return found == std::end(all) ? nullptr : found;
}

void runTarget(const Target& target, StringRef input) {
  llvm::thread(std::optional<unsigned>(compilerStackBytes), [&] { target.run(input); }).join();
}

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "a property does not hold: %s\n", what);
  std::abort();
}

} // namespace gluond::fuzz
