#include "lsp/features/annotations/SemanticTokens.h"

#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

namespace {

// Five numbers a token: line and start from the token before, length, type, modifiers.
std::vector<uint32_t> encodeTokens(const std::vector<Token>& tokens, const PositionMap& positions) {
  std::vector<uint32_t> data;
  data.reserve(tokens.size() * 5);
  Position before;
  for (const Token& token : tokens) {
    Range range = positions.range(token.range);
    if (range.start.line != range.end.line) continue;
    bool isSameLine = range.start.line == before.line;
    for (uint32_t number :
         {range.start.line - before.line,
          isSameLine ? range.start.character - before.character : range.start.character,
          range.end.character - range.start.character, static_cast<uint32_t>(token.type),
          static_cast<uint32_t>(token.modifiers)})
      data.push_back(number);
    before = range.start;
  }
  return data;
}

Answer<std::vector<uint32_t>> tokensOf(const TextDocumentIdentifier& id, std::optional<Range> range,
                                       const RequestContext& context) {
  auto document = findNamed(id, context);
  if (!document) return tl::unexpected(document.error());
  text::Range wanted =
      range ? document->positions.range(*range) : text::Range{0, document->file->text().size()};
  return encodeTokens(tokensIn(*document->resolver, *document->indexed, wanted, mostTokens),
                      document->positions);
}

} // namespace

Json semanticTokensLegend() {
  Json types = Json::array(), modifiers = Json::array();
  for (llvm::StringRef name : tokenTypeNames())
    types.push_back(name.str());
  for (llvm::StringRef name : tokenModifierNames())
    modifiers.push_back(name.str());
  return {{"tokenTypes", types}, {"tokenModifiers", modifiers}};
}

Answer<Json> semanticTokens(const DocumentParams& params, const RequestContext& context) {
  auto data = tokensOf(params.textDocument, std::nullopt, context);
  if (!data) return tl::unexpected(data.error());
  Json result = {{"resultId", ""}, {"data", *data}};
  result["resultId"] = context.client.tokens->keep(params.textDocument.uri, std::move(*data));
  return result;
}

// The change in the middle: everything between the common beginning and end.
Answer<Json> semanticTokensDelta(const SemanticTokensDeltaParams& params,
                                 const RequestContext& context) {
  auto before = context.client.tokens->find(params.textDocument.uri, params.previousResultId);
  if (!before) return semanticTokens({params.textDocument}, context);
  auto data = tokensOf(params.textDocument, std::nullopt, context);
  if (!data) return tl::unexpected(data.error());
  size_t front = 0, back = 0, shorter = std::min(before->size(), data->size());
  while (front < shorter && (*before)[front] == (*data)[front])
    ++front;
  while (back < shorter - front &&
         (*before)[before->size() - 1 - back] == (*data)[data->size() - 1 - back])
    ++back;
  Json edits = Json::array();
  if (front + back < std::max(before->size(), data->size()))
    edits.push_back({{"start", front},
                     {"deleteCount", before->size() - front - back},
                     {"data", std::vector<uint32_t>(data->begin() + static_cast<long>(front),
                                                    data->end() - static_cast<long>(back))}});
  Json result = {{"resultId", ""}, {"edits", std::move(edits)}};
  result["resultId"] = context.client.tokens->keep(params.textDocument.uri, std::move(*data));
  return result;
}

Answer<Json> semanticTokensRange(const InlayHintParams& params, const RequestContext& context) {
  auto data = tokensOf(params.textDocument, params.range, context);
  if (!data) return tl::unexpected(data.error());
  return Json{{"data", *data}};
}

} // namespace gluond::lsp
