// The findings of a run: rows of the table of diagnostics, at the place of an op, for one program.
#pragma once

#include "diagnostics/Reporter.h"

#include <mlir/IR/Location.h>

#include <array>
#include <string>
#include <vector>

namespace gluond::simulate {

using diagnostics::Id;
using diagnostics::NoteId;
using ProgramId = std::array<int64_t, 3>;

struct Event {
  mlir::Location at;
  std::string message;
};

// The bytes of an allocation that two accesses have in common, up to `to`.
struct Touched {
  uint32_t alloc = 0;
  uint64_t from = 0, to = 0;
};

struct Finding {
  Id id;
  diagnostics::Severity severity;
  mlir::Location at;
  std::string message;
  ProgramId program;
  std::vector<Event> events; // that led to it
  bool isEnd = false;        // the program could not go on
  std::string schedule;      // the schedule that shows it; empty if every schedule does
  unsigned rank = 0;         // of guesses at one cause: the least counts
  Touched touched = {};      // empty where it is not about bytes

  template <typename... Args>
  Finding& event(diagnostics::NoteFor<std::type_identity_t<const Args&>...> id,
                 mlir::Location where, const Args&... args) {
    events.push_back({where, diagnostics::note(id, args...)});
    return *this;
  }
};

template <typename... Args>
Finding makeFinding(diagnostics::IdFor<std::type_identity_t<const Args&>...> id, mlir::Location at,
                    const Args&... args) {
  const diagnostics::Row& row = diagnostics::row(id.id);
  return {id.id,
          row.severity,
          at,
          diagnostics::format(std::string_view(row.message.data(), row.message.size()),
                              {diagnostics::Argument(args)...}),
          {},
          {},
          false,
          {},
          0,
          {}};
}

} // namespace gluond::simulate
