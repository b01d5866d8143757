// Random text from a grammar: the files of tests/fuzz/grammar/ (python.txt says how they are
// written), with the rules that gluond's tables give.
#pragma once

#include "Random.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace gluond::fuzz {

class Grammar {
public:
  // Of hostile Python, and of kernels whose every part can fail; each is read once.
  static const Grammar& python();
  static const Grammar& kernels();
  std::string make(Random& random, llvm::StringRef rule) const;

private:
  static Grammar read(llvm::StringRef file);
  explicit Grammar(llvm::StringRef text);
  struct Rule {
    std::vector<std::string> alternatives, leaves; // leaves: those without further rules, or all
  };
  void add(llvm::StringRef rule, std::string alternative);
  void finish();
  std::string make(Random& random, llvm::StringRef rule, unsigned depth, int& parts) const;

  llvm::StringMap<Rule> rules_;
};

} // namespace gluond::fuzz
