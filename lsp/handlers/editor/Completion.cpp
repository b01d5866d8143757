#include "lsp/features/completion/Completion.h"

#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <tuple>

namespace gluond::lsp {

namespace {

int lspKind(CompletionKind kind) {
  switch (kind) {
  case CompletionKind::Module:
    return 9;
  case CompletionKind::Function:
    return 3;
  case CompletionKind::Method:
    return 2;
  case CompletionKind::Class:
    return 7;
  case CompletionKind::Property:
    return 10;
  case CompletionKind::Field:
  case CompletionKind::Argument:
    return 5;
  case CompletionKind::Constant:
    return 21;
  case CompletionKind::Variable:
    return 6;
  case CompletionKind::Value:
    return 12;
  case CompletionKind::Keyword:
    return 14;
  }
  return 1;
}

// A signature is shown without the name after the label, other details at the row's end.
CompletionLabelDetails labelDetails(const Completion& completion) {
  llvm::StringRef detail = completion.detail;
  if (detail.consume_front(completion.label) && detail.starts_with("(")) {
    std::string parameters; // in one line, whatever the source has
    for (llvm::StringRef word : llvm::split(detail, '\n'))
      parameters += (parameters.empty() ? "" : " ") + word.trim().str();
    return {parameters, std::nullopt};
  }
  return {std::nullopt, completion.detail};
}

// Keeps the best of too many completions, in the order of the list. The editor asks again after the
// next letter: all of them have the letters that were typed.
void keepBest(std::vector<Completion>& items) {
  auto end = items.begin() + mostCompletions;
  std::nth_element(items.begin(), end, items.end(), [](const Completion& a, const Completion& b) {
    return std::tie(a.distance, a.rank, a.hasOtherCase, a.label) <
           std::tie(b.distance, b.rank, b.hasOtherCase, b.label);
  });
  items.erase(end, items.end());
}

} // namespace

Answer<CompletionList> completion(const PositionParams& params, const RequestContext& context) {
  auto document = findNamed(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto settings = context.snapshot.settingsOf(document->file->path());
  text::Offset offset = document->positions.offset(params.position);
  Completions found = completionsAt(*document->resolver, *document->indexed, offset,
                                    {settings->plainPython, settings->besidePython});
  bool isTyped = offset > found.replaces.begin;
  CompletionList list;
  list.isIncomplete = found.items.size() > mostCompletions;
  if (list.isIncomplete) keepBest(found.items);
  Range replaces = document->positions.range(found.replaces);
  for (Completion& each : found.items) {
    CompletionItem item;
    item.label = each.label;
    item.kind = lspKind(each.kind);
    if (!each.detail.empty()) {
      item.labelDetails = labelDetails(each);
      item.detail = std::move(each.detail);
    }
    if (!each.documentation.empty())
      item.documentation = MarkupContent{"markdown", std::move(each.documentation)};
    item.sortText = std::to_string(each.rank) + each.label;
    if (isTyped)
      item.sortText = std::to_string(each.distance) + std::to_string(each.rank) +
                      (each.hasOtherCase ? "1" : "0") + each.label;
    item.textEdit = TextEdit{replaces, each.label};
    list.items.push_back(std::move(item));
  }
  return list;
}

} // namespace gluond::lsp
