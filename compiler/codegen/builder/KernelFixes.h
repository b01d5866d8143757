// Fixes in a kernel's text that several rules offer. The values say what is missing, the syntax
// says where it goes.
#pragma once

#include "codegen/builder/IrBuilder.h"
#include "codegen/suggestions/Suggest.h"

namespace gluond::codegen {

// Returns whether this is the module that programs call `gl`.
bool isGluonLanguage(const language::ModuleObject& module);

// Returns the jit decorator as this file first writes it, "gluon.jit", or "" if it has none.
std::string jitDecorator(syntax::Stmts body, const Interner& names, const text::SourceText& source);

// Returns the text of an expression, in parentheses if `.name` or `[..]` after it needs them.
std::string primaryText(const IrBuilder& emit, const syntax::Node* node);

// Returns how this module refers to a member of a Gluon module: by its own name if it was imported,
// through an imported module, or else in full from the language's name.
std::string nameOf(const IrBuilder& emit, llvm::StringRef module, llvm::StringRef member);

// Reports that the result of an asynchronous warpgroup_mma is used before it was waited for.
Reported notWaitedFor(IrBuilder& emit, Value accumulator, const syntax::Node* node);

// Offers a slice of a layout that has one dimension too many, at the expression for it. The
// dimension is the one along which the function expands the result, if it does.
void offerSlice(IrBuilder& emit, Reported& reported, const syntax::Node* layout, size_t rank,
                const language::LayoutObject& value);

// Offers to add the dimension that an operand lacks compared with the other one's layout.
void offerExpansion(IrBuilder& emit, Reported& reported, const Type* operand, const Type* other,
                    const syntax::Node* node);

// Offers to remove a keyword argument, with the comma that belongs to it.
void offerRemoval(IrBuilder& emit, Reported& reported, const syntax::Call& call,
                  const syntax::Keyword& keyword);

// Offers the closest existing keyword for a keyword argument that the function does not have; if
// none is close, the one parameter that the call lacks, under another word; if it lacks none, to
// remove an argument that other functions have.
void offerKeyword(IrBuilder& emit, Reported& reported, const syntax::Node* call, Name keyword,
                  const Nearest& nearest, llvm::StringRef lacking = {});

// Offers to make a value known at compile time: annotates the parameter or the variable.
void offerConstexpr(IrBuilder& emit, Reported& reported, const syntax::Node* node);

// Offers the present name of a keyword argument that earlier releases of Triton called otherwise.
// Returns false if there is none.
bool offerRenamedKeyword(IrBuilder& emit, Reported& reported, llvm::StringRef function,
                         const syntax::Node* call, Name keyword);
// The edits that give such an argument its present name and form.
struct RenamedKeyword {
  std::vector<text::Edit> edits;
  llvm::StringRef now;
};
std::optional<RenamedKeyword> renamedKeyword(const syntax::Call& call, llvm::StringRef function,
                                             llvm::StringRef keyword, const Interner& names,
                                             const text::SourceText& source);

// Offers to convert a tensor to the dtype that is needed. Where it is what a pointer points to, the
// pointer's name says so for all launches.
void offerCast(IrBuilder& emit, Reported& reported, const syntax::Node* node, const Type* dtype,
               const syntax::Node* pointer = nullptr);

// Offers the other dtype where a buffer is allocated.
void offerBufferType(IrBuilder& emit, Reported& reported, const syntax::Node* buffer,
                     const Type* dtype);

// Offers the Gluon replacement for a Python function or method that is applied to a tensor.
void offerInstead(IrBuilder& emit, Reported& reported, const syntax::Node* node);

} // namespace gluond::codegen
