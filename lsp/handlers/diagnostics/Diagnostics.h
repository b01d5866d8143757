// Converts our diagnostics to LSP's, for publishing, code actions and the IR view.
#pragma once

#include "driver/analysis/Check.h"
#include "lsp/server/Router.h"

namespace gluond::lsp {

// `file` is the document of the reply: a diagnostic in another file is shown at the call that led
// to it.
Diagnostic encodeDiagnostic(const diagnostics::Diagnostic& diagnostic, const driver::File& file,
                            const RequestContext& context);

} // namespace gluond::lsp
