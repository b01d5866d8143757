// What a kernel's result depends on, as a number: its own text, the text and the files of every
// function and class it can reach, and the values of the globals they name. Two programs in which a
// kernel has the same fingerprint give it the same IR and the same diagnostics, up to the places of
// its functions; those are the anchors.
//
// Follows names, not control flow, so it may include too much, never too little. What cannot be
// compared between evaluations (objects of the modelled host world) makes the fingerprint unique.
#pragma once

#include "driver/program/Program.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <mutex>
#include <vector>

namespace gluond::driver {

// A definition the kernel reaches; its text is part of the fingerprint, its place is not.
struct Anchor {
  diagnostics::FileId file;
  text::Range range; // with decorators
};

struct Fingerprint {
  uint64_t value = 0;
  std::vector<Anchor> anchors; // in the order of the walk, which equal fingerprints share
};

// Fingerprints of one program's kernels. Keeps what kernels share; Program::fingerprints() is the
// one that all who ask about a program have in common. Any thread.
class Fingerprinter {
public:
  explicit Fingerprinter(const Program& program) : program_(program) {}
  // `given`: what the kernel is called with besides; functions and classes in it are reached, too.
  Fingerprint of(const language::FunctionObject& kernel, language::Values given = {});
  // What `make` gives, kept under an address of the program (a launch's, a record's) as long as
  // this lives. `make` may ask this for other fingerprints.
  const Fingerprint& kept(const void* what, llvm::function_ref<Fingerprint()> make);
  // The jit functions that `function` names, itself apart.
  void addReached(const language::FunctionObject& function,
                  llvm::SmallPtrSetImpl<const language::FunctionObject*>& out);
  // Of a value alone (arguments of a launch).
  uint64_t of(language::Value value);

private:
  struct Local { // what one definition says itself
    uint64_t hash = 0;
    Anchor anchor{};
    std::vector<language::Value> reaches; // functions and classes named in it
  };
  const Local& local(const syntax::Node& definition, const language::ModuleObject* module,
                     const language::Scope* scope);
  void name(Name name, const language::ModuleObject* module, const language::Scope* scope,
            Local& out);
  // `helpers.scale`, of a file of the program: that function alone counts, not all of the file.
  // False: it is something else.
  bool member(const syntax::Attribute& attribute, const language::ModuleObject* module,
              const language::Scope* scope, Local& out);
  uint64_t value(language::Value value, Local* reaching);
  uint64_t value(language::Value value, unsigned depth, Local* reaching);
  uint64_t hashOf(language::Value value, unsigned depth, Local* reaching);

  const Program& program_;
  std::mutex mutex_; // guards what follows
  llvm::DenseMap<const void*, std::unique_ptr<const Fingerprint>> kept_;
  llvm::DenseMap<std::pair<const syntax::Node*, const language::Scope*>, std::unique_ptr<Local>>
      locals_;
  // Containers of the value that is being read, with and without their constexpr bit: what is
  // shared is read once. Zero while it is being read.
  llvm::DenseMap<std::pair<const void*, unsigned>, uint64_t> seen_;
  llvm::DenseMap<const void*, uint64_t> files_; // texts of modules, by their Program::Part
};

} // namespace gluond::driver
