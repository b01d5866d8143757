#include "driver/launches/Kernels.h"
#include "driver/stages/Compile.h"
#include "lsp/features/facts/BudgetText.h"
#include "lsp/features/facts/FactText.h"
#include "lsp/features/facts/Labels.h"
#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

// Returns the lens's text for the specialization. The lenses after it must stay visible: of a long
// label only what tells it from the kernel's other specializations is left, and of that the end
// that does not fit is cut off.
static std::string lensLabel(const driver::Kernel& kernel) {
  constexpr size_t most = 64;
  const driver::Variant& variant = kernel.variants[kernel.selected];
  if (variant.label.size() <= most) return variant.label;
  std::vector<std::string> labels;
  for (const driver::Variant& each : kernel.variants)
    labels.push_back(each.label);
  std::string label = tellApart(labels, most)[kernel.selected];
  if (label.size() <= most) return label;
  std::string text, target = " (" + variant.target + ")";
  for (llvm::StringRef part : driver::partsOf(label)) {
    if (part.starts_with("(")) continue;
    if (text.size() + part.size() + target.size() >= most) {
      // Of a first part that is too long, such as a text, the beginning is shown.
      text += text.empty() ? shortened(part, most - target.size()) : " ...";
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
