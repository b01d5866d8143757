// Offers Gluon's own expression or statement for one that other libraries have: methods of tensors,
// indexing, prints, members of other modules. All are suggestions, and tried before they are shown.
#pragma once

#include "codegen/builder/IrBuilder.h"

namespace gluond::codegen {

// `p[i] = x` stores through a pointer or to shared memory.
void offerStore(IrBuilder& emit, Reported& reported, const syntax::Node* target);

// `print(f"n {n}")` prints a run-time value.
void offerPrint(IrBuilder& emit, Reported& reported, const syntax::JoinedStr* text);

// `x.exp()`, `x.unsqueeze(1)`, `x.half()`: a function of gl, or a conversion.
void offerFunction(IrBuilder& emit, Reported& reported, const syntax::Attribute* method,
                   const Type* receiverType);

// `gl.MBarrierLayout`: other modules of Gluon, for the target's vendor, have the name.
// Returns whether one was found.
bool offerOtherModule(IrBuilder& emit, Reported& reported, const syntax::Attribute* member,
                      const language::ModuleObject& module);

// `x ** 2`, `x ** 0.5`, `x ** -0.5`: a product, a root.
void offerPower(IrBuilder& emit, Reported& reported, const syntax::Node* power,
                llvm::StringRef base, Value exponent);

// `a < b and c < d` of tensors: the operators on bits, with each comparison in parentheses.
void offerBitwise(IrBuilder& emit, Reported& reported, const syntax::BoolOp& logical);

// `gluon.load`, `triton.load`: the language has the name. `gl.tma`: an import gives it.
// Returns whether something was offered.
bool offerLanguage(IrBuilder& emit, Reported& reported, const syntax::Attribute* member,
                   const language::ModuleObject& module, syntax::Stmts statements);

// `math.sqrt` without an import, or `sqrt`, `atomicAdd`: the member of the language that does the
// same. Returns its text, or "".
std::string languageTextFor(const IrBuilder& emit, llvm::StringRef name);

// The attribute that is read of a name, as `sqrt` of `math` in `math.sqrt`; null if none is.
const syntax::Attribute* memberOf(const IrBuilder& emit, const syntax::Node& name);
bool isCalled(const IrBuilder& emit, const syntax::Node& function);

// `import triton.language as gl`: the import of Gluon's language is meant.
void offerGluonImport(IrBuilder& emit, Reported& reported, const syntax::Attribute* member,
                      syntax::Stmts statements);

// Inserts a wait for the result of an asynchronous warpgroup_mma after the statement that gets it.
void offerWaitAfter(IrBuilder& emit, Reported& reported, const syntax::Node* statement,
                    llvm::StringRef name);

} // namespace gluond::codegen
