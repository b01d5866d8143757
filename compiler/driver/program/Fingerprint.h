// A hash of everything that a kernel's result depends on: its own text, the text and the files of
// every function and class it can reach, and the values of the globals they name. If a kernel has
// the same fingerprint in two programs, its IR and its diagnostics are the same, up to the places
// of its functions; those are the anchors.
//
// It follows names, not control flow, so it may include too much, never too little. Objects that
// cannot be compared between evaluations (those of the modelled host world) make it unique.
#pragma once

#include "driver/program/EvaluatedFile.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <mutex>
#include <vector>

namespace gluond::driver {

// A definition that the kernel reaches; the fingerprint includes its text but not its place.
struct Anchor {
  diagnostics::FileId file;
  text::Range range; // including decorators
};

struct Fingerprint {
  uint64_t value = 0;
  std::vector<Anchor> anchors; // in the order of the walk, the same for equal fingerprints
};

// Computes fingerprints of one program's kernels and caches what they share;
// EvaluatedFile::fingerprints() is the shared instance. May be called from any thread.
class Fingerprinter {
public:
  explicit Fingerprinter(const EvaluatedFile& program) : program_(program) {}
  // `given` are further arguments of the kernel; functions and classes in them are included, too.
  Fingerprint of(const language::FunctionObject& kernel, language::Values given = {});
  // Returns make(), cached under an address of the program (a launch's, a record's) for the
  // lifetime of this object. `make` may call this object for other fingerprints.
  const Fingerprint& kept(const void* what, llvm::function_ref<Fingerprint()> make);
  // Adds the jit functions that `function` names, except itself.
  void addReached(const language::FunctionObject& function,
                  llvm::SmallPtrSetImpl<const language::FunctionObject*>& out);
  // Returns the hash of the texts of all files of the program.
  uint64_t ofTexts();
  // Returns the hash of a value alone (the arguments of a launch).
  uint64_t of(language::Value value);

private:
  struct Local { // what one definition contributes itself
    uint64_t hash = 0;
    Anchor anchor{};
    std::vector<language::Value> reaches; // functions and classes that it names
  };
  const Local& local(const syntax::Node& definition, const language::ModuleObject* module,
                     const language::Scope* scope);
  void name(Name name, const language::ModuleObject* module, const language::Scope* scope,
            Local& out);
  // Handles `helpers.scale`, in a file of the program: only that function counts, not all of the
  // file. Returns false if it is something else.
  bool member(const syntax::Attribute& attribute, const language::ModuleObject* module,
              const language::Scope* scope, Local& out);
  uint64_t value(language::Value value, Local* reaching);
  uint64_t value(language::Value value, unsigned depth, Local* reaching);
  uint64_t hashOf(language::Value value, unsigned depth, Local* reaching);
  uint64_t textOf(const EvaluatedFile::Part& part);

  const EvaluatedFile& program_;
  std::mutex mutex_; // guards the members below
  llvm::DenseMap<const void*, std::unique_ptr<const Fingerprint>> kept_;
  llvm::DenseMap<std::pair<const syntax::Node*, const language::Scope*>, std::unique_ptr<Local>>
      locals_;
  // Containers in the value being hashed, with and without their constexpr bit: shared ones are
  // read once. The entry is zero while a container is being read.
  llvm::DenseMap<std::pair<const void*, unsigned>, uint64_t> seen_;
  llvm::DenseMap<const void*, uint64_t> files_; // hashes of texts, by their EvaluatedFile::Part
};

} // namespace gluond::driver
