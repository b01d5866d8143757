// evaluate_bench FILE... [--target cuda:90]: what evaluating a module and its host code costs.
//
// For each file: the median and worst time of a whole evaluation (module, tests with their
// parametrizations, main part; imported files are parsed beforehand), of the module alone, the
// launches found and the memory held.
#include "evaluate/ModuleEvaluation.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <chrono>
#include <map>

using namespace gluond;
using Clock = std::chrono::steady_clock;

namespace {

class Files {
public:
  explicit Files(Interner& names) : names_(names) {}

  std::optional<evaluate::ModuleSource> source(const std::string& path) {
    auto [it, isNew] = trees_.try_emplace(path);
    if (isNew)
      if (auto buffer = llvm::MemoryBuffer::getFile(path))
        it->second = syntax::SyntaxTree::parse(
            std::make_shared<text::SourceText>((*buffer)->getBuffer().str()), {}, names_);
    if (!it->second) return std::nullopt;
    return evaluate::ModuleSource{it->second->body(), path, llvm::sys::path::stem(path).str(),
                                  it->second};
  }

private:
  Interner& names_;
  std::map<std::string, syntax::SyntaxTree::Ptr> trees_;
};

struct Times {
  std::vector<double> ms;
  double median() {
    llvm::sort(ms);
    return ms[ms.size() / 2];
  }
};

} // namespace

int main(int argc, char** argv) {
  std::string target = "cuda:90";
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    if (llvm::StringRef(argv[i]) == "--target" && i + 1 < argc)
      target = argv[++i];
    else
      paths.push_back(argv[i]);
  }
  if (paths.empty()) {
    llvm::errs() << "usage: evaluate_bench FILE... [--target cuda:90]\n";
    return 2;
  }
  llvm::outs() << "file                             all ms     max | module ms | launches    KB\n";
  for (auto& path : paths) {
    Interner names;
    Files files(names);
    auto request = [&](bool launches) {
      evaluate::EvaluationRequest result;
      auto source = files.source(path);
      if (source) result.source = *source;
      result.target = target;
      result.findLaunches = launches;
      result.importer = [&](llvm::StringRef importing, llvm::StringRef module, unsigned) {
        llvm::SmallString<128> candidate(llvm::sys::path::parent_path(importing));
        llvm::sys::path::append(candidate, module + ".py");
        return files.source(std::string(candidate));
      };
      return result;
    };
    if (!files.source(path)) {
      llvm::errs() << "cannot read " << path << "\n";
      return 2;
    }
    Times all, module;
    evaluate::ModuleEvaluation::Ptr evaluation;
    for (int round = 0; round < 15; ++round)
      for (bool launches : {true, false}) {
        auto start = Clock::now();
        auto result = evaluate::ModuleEvaluation::evaluate(names, request(launches));
        (launches ? all : module)
            .ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
        if (launches) evaluation = result;
      }
    double median = all.median();
    llvm::outs() << llvm::left_justify(llvm::sys::path::filename(path), 30)
                 << llvm::format("%9.2f %7.2f |", median, all.ms.back())
                 << llvm::format(" %9.2f | %8u %5u\n", module.median(),
                                 static_cast<unsigned>(evaluation->launches().size()),
                                 static_cast<unsigned>(evaluation->bytes() >> 10));
  }
}
