#include "driver/launches/Kernels.h"
#include "driver/workspace/TritonRelease.h"
#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

namespace {

SpecializationsResult encodeSpecializations(const driver::Snapshot& snapshot,
                                            const driver::File& file,
                                            const driver::KernelList& kernels,
                                            const ClientInfo& client) {
  driver::ChosenRelease triton = driver::tritonOf(snapshot, file.path());
  SpecializationsResult result{file.version(), {}, releases::name(triton.release).str(), {}};
  if (!triton.because.empty()) result.tritonBecause = triton.because;
  PositionMap positions(file.text(), client.encoding);
  size_t left = mostSpecializations;
  for (const driver::Kernel& kernel : kernels.kernels) {
    if (left == 0) break;
    --left;
    KernelInfo info{kernel.qualname, positions.range(kernel.name), {}};
    for (const driver::Variant& variant : kernel.variants) {
      bool isSelected = &variant == &kernel.variants[kernel.selected];
      if (left == 0 && !isSelected) continue;
      if (!isSelected) --left; // which is counted with its kernel
      SpecializationInfo each{
          variant.id,     variant.label, driver::originName(variant.origin).str(),
          variant.target, std::nullopt,  isSelected};
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
    return SpecializationsResult{document->file->version(), {}, {}, {}};
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

} // namespace gluond::lsp
