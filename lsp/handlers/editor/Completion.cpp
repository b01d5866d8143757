#include "lsp/features/completion/Completion.h"

#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

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

// The order of the list, which the editor sorts as text: how far the typed letters are from the
// name (0 for all while nothing is typed), the kind of name, letters in another case, the name.
std::string sortText(const Completion& completion) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%03u%02u", std::min(completion.distance, 999U),
                                                 std::min(completion.rank, 99U))
                                 << (completion.hasOtherCase ? '1' : '0') << completion.label;
  return text;
}

struct Sorted {
  std::string sortText;
  Completion completion;
};

std::vector<Sorted> sorted(std::vector<Completion> completions) {
  std::vector<Sorted> items;
  items.reserve(completions.size());
  for (Completion& each : completions) {
    std::string text = sortText(each);
    items.push_back({std::move(text), std::move(each)});
  }
  return items;
}

// Keeps the best of too many. The editor asks again after the next letter: all of them have the
// letters that were typed.
void keepBest(std::vector<Sorted>& items) {
  auto end = items.begin() + mostCompletions;
  std::nth_element(items.begin(), end, items.end(),
                   [](const Sorted& a, const Sorted& b) { return a.sortText < b.sortText; });
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
  std::vector<Sorted> items = sorted(std::move(found.items));
  CompletionList list;
  list.isIncomplete = items.size() > mostCompletions;
  if (list.isIncomplete) keepBest(items);
  Range replaces = document->positions.range(found.replaces);
  for (auto& [text, each] : items) {
    CompletionItem item;
    item.label = each.label;
    item.kind = lspKind(each.kind);
    if (!each.detail.empty()) {
      item.labelDetails = labelDetails(each);
      item.detail = std::move(each.detail);
    }
    if (!each.documentation.empty())
      item.documentation = MarkupContent{"markdown", std::move(each.documentation)};
    item.sortText = std::move(text);
    item.textEdit = TextEdit{replaces, each.label};
    list.items.push_back(std::move(item));
  }
  return list;
}

} // namespace gluond::lsp
