// The kernel and specialization that a request of a panel refers to.
#pragma once

#include "driver/launches/Kernels.h"
#include "lsp/handlers/Document.h"

namespace gluond::lsp {

struct SelectedVariant {
  Document document;
  std::shared_ptr<const driver::KernelList> kernels; // owns the kernel and the variant
  const driver::Kernel* kernel;
  const driver::Variant* variant;
};

// Selects a kernel of the document by name, else by position, else the file's first kernel: in a
// helper, the first kernel may be one that calls it, and is used there. Without a specialization it
// is the selected one.
inline Answer<SelectedVariant> choose(const TextDocumentIdentifier& id,
                                      const std::optional<std::string>& kernel,
                                      const std::optional<Position>& position,
                                      const std::optional<std::string>& specialization,
                                      const RequestContext& context) {
  auto document = findDocument(id, context);
  if (!document) return tl::unexpected(document.error());
  auto kernels = driver::kernelsOf(context.snapshot, document->file, context.token);
  if (!kernels) return fail("cancelled");
  SelectedVariant chosen{std::move(*document), kernels, nullptr, nullptr};
  if (kernel)
    chosen.kernel = kernels->find(*kernel);
  else if (position)
    chosen.kernel = kernels->at(chosen.document.positions.offset(*position));
  if (!chosen.kernel && !kernel && !kernels->kernels.empty())
    chosen.kernel = &kernels->kernels.front();
  if (!chosen.kernel)
    return fail(kernel ? "no kernel '" + *kernel + "'" : "there is no kernel in this file");
  chosen.variant = specialization ? chosen.kernel->find(*specialization)
                                  : &chosen.kernel->variants[chosen.kernel->selected];
  if (!chosen.variant) return fail("no specialization '" + *specialization + "'");
  return chosen;
}

} // namespace gluond::lsp
