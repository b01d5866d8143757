// Fixes in a kernel's text that more than one rule offers: what is missing is known from the
// values, where it goes from the syntax.
#pragma once

#include "codegen/emitter/Emitter.h"
#include "codegen/suggestions/Suggest.h"

namespace gluond::codegen {

// `@gluon.jit`, called or not, under any name of the module.
bool isJitDecorator(const syntax::Expr* decorator, const Interner& names);
// The one that this file uses first, as it is written there: "gluon.jit". Empty: it has none.
std::string jitDecorator(syntax::Stmts body, const Interner& names, const text::SourceText& source);

// The text of an expression, in parentheses where `.name` or `[..]` behind it needs them.
std::string primaryText(const Emitter& emit, const syntax::Node* node);

// How this module calls a member of a module of Gluon: by its own name where it was imported,
// through an imported module, or in full from the language's name.
std::string nameOf(const Emitter& emit, llvm::StringRef module, llvm::StringRef member);

// The result of an asynchronous warpgroup_mma is no tensor before it was waited for.
Reported notWaitedFor(Emitter& emit, Value accumulator, const syntax::Node* node);

// A layout of one dimension too many, at the expression that stands for it: a slice of it fits. The
// dimension is the one along which the function expands the result, where it does.
void offerSlice(Emitter& emit, Reported& reported, const syntax::Node* layout, size_t rank,
                const language::LayoutObject& value);

// An operand that lacks the dimension along which its layout slices the other one's.
void offerExpansion(Emitter& emit, Reported& reported, const Type* operand, const Type* other,
                    const syntax::Node* node);

// A keyword argument that the function lacks, and the nearest that it has.
void offerKeyword(Emitter& emit, Reported& reported, const syntax::Node* call, Name keyword,
                  const Nearest& nearest);

// A Python function or method that gets a tensor, and what Gluon has instead.
void offerInstead(Emitter& emit, Reported& reported, const syntax::Node* node);

} // namespace gluond::codegen
