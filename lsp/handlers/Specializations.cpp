#include "driver/Kernels.h"
#include "lsp/features/Budget.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

namespace {

SpecializationsResult encodeSpecializations(const driver::Snapshot& snapshot,
                                            const driver::File& file,
                                            const driver::KernelList& kernels,
                                            const ClientInfo& client) {
  SpecializationsResult result{file.version(), {}};
  PositionMap positions(file.text(), client.encoding);
  for (const driver::Kernel& kernel : kernels.kernels) {
    KernelInfo info{kernel.qualname, positions.range(kernel.name), {}};
    for (const driver::Variant& variant : kernel.variants) {
      SpecializationInfo each{
          variant.id,     variant.label, driver::originName(variant.origin).str(),
          variant.target, std::nullopt,  &variant == &kernel.variants[kernel.selected]};
      if (variant.source) each.source = encodePlace(*variant.source, snapshot, client);
      info.specializations.push_back(std::move(each));
    }
    result.kernels.push_back(std::move(info));
  }
  return result;
}

} // namespace

Answer<SpecializationsResult> specializations(const DocumentParams& params,
                                              const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  if (!mentionsGluon(document->file->text().text()))
    return SpecializationsResult{document->file->version(), {}};
  auto kernels = driver::kernelsOf(context.snapshot, document->file, context.token);
  if (!kernels) return SpecializationsResult{};
  return encodeSpecializations(context.snapshot, *document->file, *kernels, context.client);
}

void changeSelection(const SelectSpecializationParams& params, Session& session) {
  std::string path = pathFromUri(params.textDocument.uri);
  session.workspace.select(path, params.kernel, params.specialization);
  session.refreshed.push_back(path);
  session.viewsAffected = true;
}

Answer<SpecializationsResult> selectSpecialization(const SelectSpecializationParams& params,
                                                   const RequestContext& context) {
  return specializations({params.textDocument}, context);
}

// Whether gluond compiles for the target: elsewhere there is nothing to run.
static bool runsHere(llvm::StringRef target) {
  unsigned capability;
  return target.consume_front("cuda:") && !target.getAsInteger(10, capability) &&
         capability >= 80 && capability <= 90;
}

// One lens above each kernel: what it is looked at as, and a command that asks which else.
Answer<std::vector<CodeLens>> codeLens(const DocumentParams& params,
                                       const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  std::vector<CodeLens> lenses;
  if (!mentionsGluon(document->file->text().text())) return lenses;
  auto kernels = driver::kernelsOf(context.snapshot, document->file, context.token);
  if (!kernels) return lenses;
  for (const driver::Kernel& kernel : kernels->kernels) {
    const driver::Variant& variant = kernel.variants[kernel.selected];
    Range range = document->positions.range(kernel.name);
    std::string title = variant.label;
    if (kernel.variants.size() > 1)
      title += "  (" + std::to_string(kernel.selected + 1) + " of " +
               std::to_string(kernel.variants.size()) + ")";
    else if (variant.origin == driver::Origin::Default)
      title = "no launch found: typed defaults";
    Json arguments = Json::array({params.textDocument.uri, kernel.qualname});
    lenses.push_back({range, {std::move(title), "gluond.selectSpecialization", arguments}});
    lenses.push_back({range, {"IR", "gluond.showIR", arguments}});
    if (runsHere(variant.target)) {
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
