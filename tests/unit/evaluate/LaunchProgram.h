// A program of several files, and the launches found in it, for tests.
#pragma once

#include "evaluate/ModuleEvaluation.h"
#include "evaluate/launches/Launches.h"
#include "syntax/SyntaxTree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::evaluate {

struct LaunchProgram {
  Interner names;
  std::map<std::string, std::string> files; // by dotted name
  ModuleEvaluation::Ptr evaluation;

  std::optional<ModuleSource> source(llvm::StringRef name) {
    auto found = files.find(name.str());
    if (found == files.end()) return std::nullopt;
    auto tree =
        syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(found->second), {}, names);
    EXPECT_TRUE(tree->errors().empty()) << tree->errors()[0].message;
    return ModuleSource{tree->body(), "/w/" + name.str() + ".py", name.str(), tree};
  }

  explicit LaunchProgram(const std::string& body, std::map<std::string, std::string> others = {},
                         const std::string& target = "cuda:90")
      : files(std::move(others)) {
    files["test_program"] = R"(
import torch, triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

@gluon.jit
def kernel(x, N: gl.constexpr):
    pass
)" + body;
    EvaluationRequest request;
    request.source = *source("test_program");
    request.target = target;
    request.importer = [this](llvm::StringRef, llvm::StringRef module, unsigned) {
      return source(module);
    };
    evaluation = ModuleEvaluation::evaluate(names, std::move(request));
  }

  // The constants N of the launches, with a question mark where a launch is not certain.
  std::vector<std::string> launches() {
    std::vector<std::string> result;
    for (const Launch& launch : evaluation->launches()) {
      if (launch.isBlind) continue;
      EXPECT_TRUE(evaluation->isOwn(launch.kernel->module));
      Value constant = launch.arguments[1].constant;
      result.push_back((constant.isIntegral() ? std::to_string(constant.asInt()) : "unknown") +
                       (launch.isCertain ? "" : "?"));
    }
    return result;
  }
};

} // namespace gluond::evaluate
