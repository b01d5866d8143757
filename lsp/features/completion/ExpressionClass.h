// The kind of value that an expression of a kernel makes, judging by its text alone: where no
// launch gives types, `buffers = gl.allocate_shared_memory(...)` still makes a buffer.
#pragma once

#include "lsp/features/names/NameResolver.h"

namespace gluond::lsp {

// Whether a parameter is annotated as a descriptor, or used like one.
bool isDescriptorParameter(NameResolver& resolver, const IndexedFile& file,
                           const syntax::FunctionDef& def, Name name);
// Returns the class of the table whose members the value has, or null if the text does not tell.
const language::BuiltinModule* classOfExpression(NameResolver& resolver, const IndexedFile& file,
                                                 const syntax::Expr& expr);

} // namespace gluond::lsp
