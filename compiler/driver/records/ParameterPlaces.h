// Finds parameters by their names, quickly if they are requested in their order, as records mostly
// do.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/DenseMap.h>

namespace gluond::driver {

class ParameterPlaces {
public:
  ParameterPlaces(llvm::ArrayRef<syntax::Parameter> parameters,
                  const evaluate::Interpreter& interpreter)
      : parameters_(parameters), interpreter_(interpreter) {}

  std::optional<size_t> find(llvm::StringRef name) {
    if (next_ < parameters_.size() && text(next_) == name) return next_++;
    if (places_.empty())
      for (size_t i = 0; i < parameters_.size(); ++i)
        places_.try_emplace(text(i), i);
    auto it = places_.find(name);
    if (it == places_.end()) return std::nullopt;
    next_ = it->second + 1;
    return it->second;
  }

private:
  llvm::StringRef text(size_t i) const { return interpreter_.text(parameters_[i].name.name); }

  llvm::ArrayRef<syntax::Parameter> parameters_;
  const evaluate::Interpreter& interpreter_;
  size_t next_ = 0;
  llvm::DenseMap<llvm::StringRef, size_t> places_;
};

} // namespace gluond::driver
