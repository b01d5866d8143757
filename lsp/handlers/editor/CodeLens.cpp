#include "driver/launches/Kernels.h"
#include "driver/stages/Compile.h"
#include "lsp/features/facts/BudgetText.h"
#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

// "a=1 b=[2, 3] (cuda:90)" -> "a=1", "b=[2, 3]", "(cuda:90)"
static llvm::SmallVector<llvm::StringRef> partsOf(llvm::StringRef label) {
  llvm::SmallVector<llvm::StringRef> parts;
  size_t begin = 0;
  unsigned depth = 0;
  for (size_t i = 0; i <= label.size(); ++i) {
    char each = i < label.size() ? label[i] : ' ';
    if (each == '[') ++depth;
    if (each == ']' && depth) --depth;
    if (i < label.size() && (each != ' ' || depth)) continue;
    if (i > begin) parts.push_back(label.slice(begin, i));
    begin = i + 1;
  }
  return parts;
}

// Returns the lens's text for the specialization. The lenses after it must stay visible: in a long
// label, the parts common to all of the kernel's specializations are removed first, then its end.
static std::string lensLabel(const driver::Kernel& kernel) {
  constexpr size_t most = 64;
  const driver::Variant& variant = kernel.variants[kernel.selected];
  if (variant.label.size() <= most) return variant.label;
  llvm::SmallVector<llvm::SmallVector<llvm::StringRef>> all;
  for (const driver::Variant& each : kernel.variants)
    all.push_back(partsOf(each.label));
  std::string text, target = " (" + variant.target + ")";
  for (llvm::StringRef part : all[kernel.selected]) {
    bool isShared = all.size() > 1 &&
                    llvm::all_of(all, [&](auto& parts) { return llvm::is_contained(parts, part); });
    if (part.starts_with("(") || isShared) continue;
    if (text.size() + part.size() + target.size() >= most) {
      text += text.empty() ? "..." : " ...";
      break;
    }
    text += (text.empty() ? "" : " ") + part.str();
  }
  return text + target;
}

// One lens above each kernel: the selected specialization, with a command to select another.
Answer<std::vector<CodeLens>> codeLens(const DocumentParams& params,
                                       const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  std::vector<CodeLens> lenses;
  if (!mentionsGluon(document->file->text().text())) return lenses;
  auto kernels = driver::kernelsOf(context.snapshot, document->file, context.token);
  if (!kernels) return lenses;
  for (const driver::Kernel& kernel :
       llvm::ArrayRef(kernels->kernels).take_front(mostKernelsWithLenses)) {
    const driver::Variant& variant = kernel.variants[kernel.selected];
    Range range = document->positions.range(kernel.name);
    std::string title = lensLabel(kernel);
    if (kernel.variants.size() > 1)
      title += "  (" + std::to_string(kernel.selected + 1) + " of " +
               std::to_string(kernel.variants.size()) + ")";
    else if (variant.origin == driver::Origin::Default)
      title = "no launch found: typed defaults";
    Json arguments = Json::array({params.textDocument.uri, kernel.qualname});
    lenses.push_back({range, {std::move(title), "gluond.selectSpecialization", arguments}});
    lenses.push_back({range, {"IR", "gluond.showIR", arguments}});
    lenses.push_back({range, {"Debug", "gluond.debug", arguments}});
    lenses.push_back({range, {"Timeline", "gluond.showTimeline", arguments}});
    if (driver::isRunnable(variant.target)) {
      lenses.push_back({range, {"Run", "gluond.run", arguments}});
      lenses.push_back({range, {"Benchmark", "gluond.benchmark", arguments}});
    }
    if (std::string budget = budgetOf(kernel, context.snapshot, context.worker, context.token);
        !budget.empty())
      lenses.push_back({range, {std::move(budget), "gluond.showIR", arguments}});
  }
  return lenses;
}

} // namespace gluond::lsp
