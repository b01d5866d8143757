#include "driver/kernelfixes/ProductFixes.h"

#include "codegen/builder/Assignments.h"
#include "diagnostics/Reporter.h"
#include "syntax/tree/Children.h"

namespace gluond::driver {

void offerAccumulator(diagnostics::Diagnostic& refusal, const EvaluatedFile& program) {
  if (!llvm::StringRef(refusal.message).contains("the accumulator is ")) return;
  for (const EvaluatedFile::Part& part : program.parts()) {
    if (part.file->id() != refusal.location.file) continue;
    const Interner& names = part.tree->interner();
    const syntax::Call* product = nullptr;
    for (const syntax::Node* node : syntax::pathTo(part.tree->body(), refusal.location.range.begin))
      if (auto* call = llvm::dyn_cast<syntax::Call>(node);
          call && node->range == refusal.location.range)
        product = call;
    constexpr size_t position = 2;
    if (!product) return;
    const syntax::Expr* accumulator =
        product->args.size() > position ? product->args[position] : nullptr;
    for (const syntax::Keyword& keyword : product->keywords)
      if (names.text(keyword.name.name) == "acc") accumulator = keyword.value;
    const syntax::Call* made = codegen::creationOf(accumulator, part.tree->body());
    const syntax::Attribute* dtype = made ? codegen::dtypeIn(*made, names) : nullptr;
    if (!dtype) return;
    // "accumulates products of f16 in f32, but the accumulator is f16"
    bool isInteger = llvm::StringRef(refusal.message).contains(" in i32,");
    std::string text =
        part.tree->source().slice(dtype->value->range).str() + (isInteger ? ".int32" : ".float32");
    refusal.fixes.push_back(
        {diagnostics::fixTitle(diagnostics::FixId::TryText, text), {{dtype->range, text}}});
  }
}

} // namespace gluond::driver
