// The signature of the call around the cursor.
#include "lsp/features/completion/Completion.h"
#include "lsp/features/completion/CursorContext.h"
#include "lsp/features/completion/HalfTyped.h"
#include "lsp/features/completion/PythonFunctions.h"
#include "lsp/features/completion/Signature.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

namespace lang = gluond::language;

std::optional<Signature> signatureAt(NameResolver& resolver, const IndexedFile& file,
                                     text::Offset offset, bool plainPython) {
  const text::SourceText& source = file.file->text();
  if (!plainPython && !mentionsGluon(source.text())) return std::nullopt;
  CursorContext context = contextAt(source, offset);
  Surroundings around = surroundingsOf(*file.tree, file.index, source, offset);
  bool isOurs = plainPython || around.definition;
  for (llvm::ArrayRef<OpenCall> calls = context.calls; !calls.empty(); calls = calls.drop_back()) {
    const OpenCall& call = calls.back();
    if (call.bracket != '(') continue;
    auto callable = calledBy(resolver, file, calls, offset, around.place, around.definition);
    if (!callable && around.definition && call.callee.end > call.callee.begin &&
        !dottedBefore(resolver, file, source.slice(call.callee), around.place).denoted)
      callable = pythonFunction(source.slice(call.callee), call.argument > 0);
    if (!callable) continue;
    if (!isOurs && !callable->builtin && !callable->isKernel) continue;
    Signature signature;
    signature.label = callable->name + "(";
    signature.documentation = callable->documentation;
    bool takesMore = false, isKeywordOnly = false;
    for (const CallableParameter& parameter : callable->parameters) {
      if (!signature.parameters.empty()) signature.label += ", ";
      // The mark between positional and keyword-only parameters belongs to no parameter.
      if (callable->builtin && !isKeywordOnly)
        for (const lang::Parameter& each : callable->builtin->parameters)
          if (each.name == parameter.name && each.kind == lang::ParameterKind::KeywordOnly &&
              !takesMore) {
            signature.label += "*, ";
            isKeywordOnly = true;
          }
      auto begin = static_cast<text::Offset>(signature.label.size());
      signature.label += parameter.text;
      signature.parameters.push_back(
          {{begin, static_cast<text::Offset>(signature.label.size())}, parameter.documentation});
      takesMore |= parameter.takesMore;
    }
    signature.label += ")";
    auto count = static_cast<unsigned>(callable->parameters.size());
    signature.active = call.argument;
    if (!call.keyword.empty())
      signature.active = static_cast<unsigned>(
          llvm::find_if(callable->parameters,
                        [&](const CallableParameter& p) { return p.name == call.keyword; }) -
          callable->parameters.begin());
    else if (takesMore && count > 0)
      signature.active = std::min(signature.active, count - 1);
    return signature;
  }
  return std::nullopt;
}

} // namespace gluond::lsp
