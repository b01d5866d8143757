// Our diagnostics as LSP's, for publishing, code actions and the IR view.
#pragma once

#include "driver/analysis/Check.h"
#include "lsp/server/Router.h"

namespace gluond::lsp {

// `file` is the document the reply is about: a diagnostic in another file is shown at the call that
// led there.
Diagnostic encodeDiagnostic(const diagnostics::Diagnostic& diagnostic, const driver::File& file,
                            const RequestContext& context);

} // namespace gluond::lsp
