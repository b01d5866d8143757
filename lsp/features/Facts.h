// What codegen found out about the expression under a cursor, in the selected specialization of the
// kernel there.
#pragma once

#include "codegen/Facts.h"
#include "driver/Analysis.h"

#include <optional>

namespace gluond::lsp {

struct Fact {
  codegen::TypeFact type;
  text::Range range;  // of the expression
  std::string kernel; // qualname
  std::string label;  // of the specialization
  std::string target;
  // The layout as an expression: of a tensor or descriptor, or the layout itself; empty: none.
  std::string layout() const;
};
// The smallest expression around `offset` that has one. In a helper, the first kernel's that
// reaches it.
std::optional<Fact> factAt(const driver::Snapshot& snapshot,
                           const std::shared_ptr<const driver::File>& file, text::Offset offset,
                           driver::Worker& worker, CancellationToken token);

// The same of something with a layout: where the cursor is on nothing that has one, the first on
// its line.
std::optional<Fact> layoutFactAt(const driver::Snapshot& snapshot,
                                 const std::shared_ptr<const driver::File>& file,
                                 text::Offset offset, driver::Worker& worker,
                                 CancellationToken token);

// "float16[64, 32]", "int32", "*float32"; empty where a hint would only repeat the code
// (constants).
std::string shortText(const codegen::TypeFact& type);

// The names bound in a range of a file (assignments, parameters), each with what it is.
struct NamedFact {
  text::Range name;
  codegen::TypeFact type;
};
std::vector<NamedFact> factsOfNames(const driver::Snapshot& snapshot,
                                    const std::shared_ptr<const driver::File>& file,
                                    text::Range range, driver::Worker& worker,
                                    CancellationToken token);

} // namespace gluond::lsp
