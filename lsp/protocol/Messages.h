// The messages of the Language Server Protocol 3.17 that gluond uses, field for field; see the
// specification for their meaning. gluond's own messages are in Extensions.h, encoding and decoding
// in Codec.h.
#pragma once

#include "lsp/protocol/Codec.h"

#define GLUOND_FIELDS(...)                                                                         \
  static constexpr auto fields() {                                                                 \
    return std::make_tuple(__VA_ARGS__);                                                           \
  }

namespace gluond::lsp {

// ---------------------------------------------------------------- JSON-RPC

enum class ErrorCode : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  RequestFailed = -32803,
  ServerCancelled = -32802,
  ContentModified = -32801,
  RequestCancelled = -32800,
};

struct ResponseError {
  ErrorCode code = ErrorCode::InternalError;
  std::string message;
  GLUOND_FIELDS(field("code", &ResponseError::code), field("message", &ResponseError::message))
};

// ---------------------------------------------------------------- places

struct Position { // the unit of `character` is the encoding negotiated at initialize
  uint32_t line = 0, character = 0;
  GLUOND_FIELDS(field("line", &Position::line), field("character", &Position::character))
  friend bool operator==(const Position&, const Position&) = default;
};

struct Range {
  Position start, end;
  GLUOND_FIELDS(field("start", &Range::start), field("end", &Range::end))
  friend bool operator==(const Range&, const Range&) = default;
};

struct Location {
  std::string uri;
  Range range;
  GLUOND_FIELDS(field("uri", &Location::uri), field("range", &Location::range))
};

struct LocationLink {
  std::optional<Range> originSelectionRange;
  std::string targetUri;
  Range targetRange, targetSelectionRange;
  GLUOND_FIELDS(field("originSelectionRange", &LocationLink::originSelectionRange),
                field("targetUri", &LocationLink::targetUri),
                field("targetRange", &LocationLink::targetRange),
                field("targetSelectionRange", &LocationLink::targetSelectionRange))
};

struct TextEdit {
  Range range;
  std::string newText;
  GLUOND_FIELDS(field("range", &TextEdit::range), field("newText", &TextEdit::newText))
};

struct MarkupContent {
  std::string kind = "markdown", value;
  GLUOND_FIELDS(field("kind", &MarkupContent::kind), field("value", &MarkupContent::value))
};

struct Command {
  std::string title, command;
  Json arguments;
  GLUOND_FIELDS(field("title", &Command::title), field("command", &Command::command),
                field("arguments", &Command::arguments))
};

// ---------------------------------------------------------------- documents

struct TextDocumentIdentifier {
  std::string uri;
  GLUOND_FIELDS(field("uri", &TextDocumentIdentifier::uri))
};

struct VersionedTextDocumentIdentifier {
  std::string uri;
  int32_t version = 0;
  GLUOND_FIELDS(field("uri", &VersionedTextDocumentIdentifier::uri),
                field("version", &VersionedTextDocumentIdentifier::version))
};

struct TextDocumentItem {
  std::string uri, languageId;
  int32_t version = 0;
  std::string text;
  GLUOND_FIELDS(field("uri", &TextDocumentItem::uri),
                field("languageId", &TextDocumentItem::languageId),
                field("version", &TextDocumentItem::version),
                field("text", &TextDocumentItem::text))
};

struct DidOpenParams {
  TextDocumentItem textDocument;
  GLUOND_FIELDS(field("textDocument", &DidOpenParams::textDocument))
};

struct ContentChange { // replaces the whole document if `range` is absent
  std::optional<Range> range;
  std::string text;
  GLUOND_FIELDS(field("range", &ContentChange::range), field("text", &ContentChange::text))
};

struct DidChangeParams {
  VersionedTextDocumentIdentifier textDocument;
  std::vector<ContentChange> contentChanges;
  GLUOND_FIELDS(field("textDocument", &DidChangeParams::textDocument),
                field("contentChanges", &DidChangeParams::contentChanges))
};

struct DocumentParams { // didClose, didSave, documentSymbol, codeLens, ...
  TextDocumentIdentifier textDocument;
  GLUOND_FIELDS(field("textDocument", &DocumentParams::textDocument))
};

struct PositionParams { // hover, definition, completion, ...
  TextDocumentIdentifier textDocument;
  Position position;
  GLUOND_FIELDS(field("textDocument", &PositionParams::textDocument),
                field("position", &PositionParams::position))
};

struct FileEvent {
  std::string uri;
  int type = 0; // 1 created, 2 changed, 3 deleted
  GLUOND_FIELDS(field("uri", &FileEvent::uri), field("type", &FileEvent::type))
};

struct DidChangeWatchedFilesParams {
  std::vector<FileEvent> changes;
  GLUOND_FIELDS(field("changes", &DidChangeWatchedFilesParams::changes))
};

// ---------------------------------------------------------------- lifecycle

struct GeneralClientCapabilities {
  std::optional<std::vector<std::string>> positionEncodings;
  GLUOND_FIELDS(field("positionEncodings", &GeneralClientCapabilities::positionEncodings))
};

struct ClientCapabilities { // only those that affect our replies; others are read where needed
  std::optional<GeneralClientCapabilities> general;
  Json textDocument, workspace;
  GLUOND_FIELDS(field("general", &ClientCapabilities::general),
                field("textDocument", &ClientCapabilities::textDocument),
                field("workspace", &ClientCapabilities::workspace))
};

struct WorkspaceFolder {
  std::string uri, name;
  GLUOND_FIELDS(field("uri", &WorkspaceFolder::uri), field("name", &WorkspaceFolder::name))
};

struct DidChangeConfigurationParams {
  Json settings;
  GLUOND_FIELDS(field("settings", &DidChangeConfigurationParams::settings))
};

struct WorkspaceFoldersChange {
  std::vector<WorkspaceFolder> added, removed;
  GLUOND_FIELDS(field("added", &WorkspaceFoldersChange::added),
                field("removed", &WorkspaceFoldersChange::removed))
};

struct DidChangeWorkspaceFoldersParams {
  WorkspaceFoldersChange event;
  GLUOND_FIELDS(field("event", &DidChangeWorkspaceFoldersParams::event))
};

struct InitializeParams {
  std::optional<int64_t> processId;
  std::optional<std::string> rootUri;
  std::optional<std::vector<WorkspaceFolder>> workspaceFolders;
  ClientCapabilities capabilities;
  Json initializationOptions;
  GLUOND_FIELDS(field("processId", &InitializeParams::processId),
                field("rootUri", &InitializeParams::rootUri),
                field("workspaceFolders", &InitializeParams::workspaceFolders),
                field("capabilities", &InitializeParams::capabilities),
                field("initializationOptions", &InitializeParams::initializationOptions))
};

// ---------------------------------------------------------------- diagnostics and code actions

struct CodeDescription {
  std::string href;
  GLUOND_FIELDS(field("href", &CodeDescription::href))
};

struct DiagnosticRelatedInformation {
  Location location;
  std::string message;
  GLUOND_FIELDS(field("location", &DiagnosticRelatedInformation::location),
                field("message", &DiagnosticRelatedInformation::message))
};

struct Diagnostic {
  Range range;
  int severity = 1; // 1 error, 2 warning, 3 information, 4 hint
  std::string code;
  std::optional<CodeDescription> codeDescription;
  std::string source = "gluond", message;
  std::optional<std::vector<DiagnosticRelatedInformation>> relatedInformation;
  GLUOND_FIELDS(field("range", &Diagnostic::range), field("severity", &Diagnostic::severity),
                field("code", &Diagnostic::code),
                field("codeDescription", &Diagnostic::codeDescription),
                field("source", &Diagnostic::source), field("message", &Diagnostic::message),
                field("relatedInformation", &Diagnostic::relatedInformation))
};

struct PublishDiagnosticsParams {
  std::string uri;
  std::optional<int32_t> version;
  std::vector<Diagnostic> diagnostics;
  GLUOND_FIELDS(field("uri", &PublishDiagnosticsParams::uri),
                field("version", &PublishDiagnosticsParams::version),
                field("diagnostics", &PublishDiagnosticsParams::diagnostics))
};

struct DocumentDiagnosticParams {
  TextDocumentIdentifier textDocument;
  std::optional<std::string> previousResultId;
  GLUOND_FIELDS(field("textDocument", &DocumentDiagnosticParams::textDocument),
                field("previousResultId", &DocumentDiagnosticParams::previousResultId))
};

struct PreviousResultId {
  std::string uri, value;
  GLUOND_FIELDS(field("uri", &PreviousResultId::uri), field("value", &PreviousResultId::value))
};

struct WorkspaceDiagnosticParams {
  std::vector<PreviousResultId> previousResultIds;
  GLUOND_FIELDS(field("previousResultIds", &WorkspaceDiagnosticParams::previousResultIds))
};

struct CodeActionContext {
  std::optional<std::vector<std::string>> only; // kinds
  GLUOND_FIELDS(field("only", &CodeActionContext::only))
};

struct CodeActionParams {
  TextDocumentIdentifier textDocument;
  Range range;
  std::optional<CodeActionContext> context;
  GLUOND_FIELDS(field("textDocument", &CodeActionParams::textDocument),
                field("range", &CodeActionParams::range),
                field("context", &CodeActionParams::context))
};

struct WorkspaceEdit {
  Json changes; // uri -> TextEdit[]
  GLUOND_FIELDS(field("changes", &WorkspaceEdit::changes))
};

struct CodeAction {
  std::string title, kind;
  std::vector<Diagnostic> diagnostics;
  std::optional<bool> isPreferred;
  WorkspaceEdit edit;
  GLUOND_FIELDS(field("title", &CodeAction::title), field("kind", &CodeAction::kind),
                field("diagnostics", &CodeAction::diagnostics),
                field("isPreferred", &CodeAction::isPreferred), field("edit", &CodeAction::edit))
};

// ---------------------------------------------------------------- language features

struct Hover {
  MarkupContent contents;
  std::optional<Range> range;
  GLUOND_FIELDS(field("contents", &Hover::contents), field("range", &Hover::range))
};

struct CodeLens {
  Range range;
  Command command;
  GLUOND_FIELDS(field("range", &CodeLens::range), field("command", &CodeLens::command))
};

struct DocumentSymbol {
  std::string name;
  std::optional<std::string> detail;
  int kind = 0;
  Range range, selectionRange;
  std::vector<DocumentSymbol> children;
  GLUOND_FIELDS(field("name", &DocumentSymbol::name), field("detail", &DocumentSymbol::detail),
                field("kind", &DocumentSymbol::kind), field("range", &DocumentSymbol::range),
                field("selectionRange", &DocumentSymbol::selectionRange),
                field("children", &DocumentSymbol::children))
};

struct CompletionLabelDetails {
  std::optional<std::string> detail;      // after the label: a signature's parameters
  std::optional<std::string> description; // at the end of the row: a type
  GLUOND_FIELDS(field("detail", &CompletionLabelDetails::detail),
                field("description", &CompletionLabelDetails::description))
};

struct CompletionItem {
  std::string label;
  std::optional<CompletionLabelDetails> labelDetails;
  std::optional<int> kind;
  std::optional<std::string> detail;
  std::optional<MarkupContent> documentation;
  std::optional<std::string> sortText;
  std::optional<TextEdit> textEdit;
  GLUOND_FIELDS(field("label", &CompletionItem::label),
                field("labelDetails", &CompletionItem::labelDetails),
                field("kind", &CompletionItem::kind), field("detail", &CompletionItem::detail),
                field("documentation", &CompletionItem::documentation),
                field("sortText", &CompletionItem::sortText),
                field("textEdit", &CompletionItem::textEdit))
};

struct CompletionList {
  bool isIncomplete = false;
  std::vector<CompletionItem> items;
  GLUOND_FIELDS(field("isIncomplete", &CompletionList::isIncomplete),
                field("items", &CompletionList::items))
};

struct ParameterInformation {
  std::vector<uint32_t> label; // [begin, end) in the signature's label, in UTF-16 code units
  std::optional<MarkupContent> documentation;
  GLUOND_FIELDS(field("label", &ParameterInformation::label),
                field("documentation", &ParameterInformation::documentation))
};

struct SignatureInformation {
  std::string label;
  std::optional<MarkupContent> documentation;
  std::vector<ParameterInformation> parameters;
  GLUOND_FIELDS(field("label", &SignatureInformation::label),
                field("documentation", &SignatureInformation::documentation),
                field("parameters", &SignatureInformation::parameters))
};

struct SignatureHelp {
  std::vector<SignatureInformation> signatures;
  uint32_t activeSignature = 0, activeParameter = 0;
  GLUOND_FIELDS(field("signatures", &SignatureHelp::signatures),
                field("activeSignature", &SignatureHelp::activeSignature),
                field("activeParameter", &SignatureHelp::activeParameter))
};

struct ReferenceContext {
  std::optional<bool> includeDeclaration;
  GLUOND_FIELDS(field("includeDeclaration", &ReferenceContext::includeDeclaration))
};

struct ReferenceParams {
  TextDocumentIdentifier textDocument;
  Position position;
  std::optional<ReferenceContext> context;
  GLUOND_FIELDS(field("textDocument", &ReferenceParams::textDocument),
                field("position", &ReferenceParams::position),
                field("context", &ReferenceParams::context))
};

struct SelectionRangeParams {
  TextDocumentIdentifier textDocument;
  std::vector<Position> positions;
  GLUOND_FIELDS(field("textDocument", &SelectionRangeParams::textDocument),
                field("positions", &SelectionRangeParams::positions))
};

struct SemanticTokensDeltaParams {
  TextDocumentIdentifier textDocument;
  std::string previousResultId;
  GLUOND_FIELDS(field("textDocument", &SemanticTokensDeltaParams::textDocument),
                field("previousResultId", &SemanticTokensDeltaParams::previousResultId))
};

struct WorkspaceSymbolParams {
  std::string query;
  GLUOND_FIELDS(field("query", &WorkspaceSymbolParams::query))
};

struct SymbolInformation {
  std::string name;
  int kind = 0;
  Location location;
  std::optional<std::string> containerName;
  GLUOND_FIELDS(field("name", &SymbolInformation::name), field("kind", &SymbolInformation::kind),
                field("location", &SymbolInformation::location),
                field("containerName", &SymbolInformation::containerName))
};

struct CallHierarchyItem {
  std::string name;
  int kind = 0;
  std::optional<std::string> detail;
  std::string uri;
  Range range, selectionRange;
  GLUOND_FIELDS(field("name", &CallHierarchyItem::name), field("kind", &CallHierarchyItem::kind),
                field("detail", &CallHierarchyItem::detail), field("uri", &CallHierarchyItem::uri),
                field("range", &CallHierarchyItem::range),
                field("selectionRange", &CallHierarchyItem::selectionRange))
};

struct CallHierarchyCallsParams { // incoming and outgoing
  CallHierarchyItem item;
  GLUOND_FIELDS(field("item", &CallHierarchyCallsParams::item))
};

struct CallHierarchyIncomingCall {
  CallHierarchyItem from;
  std::vector<Range> fromRanges;
  GLUOND_FIELDS(field("from", &CallHierarchyIncomingCall::from),
                field("fromRanges", &CallHierarchyIncomingCall::fromRanges))
};

struct CallHierarchyOutgoingCall {
  CallHierarchyItem to;
  std::vector<Range> fromRanges;
  GLUOND_FIELDS(field("to", &CallHierarchyOutgoingCall::to),
                field("fromRanges", &CallHierarchyOutgoingCall::fromRanges))
};

struct RenameParams {
  TextDocumentIdentifier textDocument;
  Position position;
  std::string newName;
  GLUOND_FIELDS(field("textDocument", &RenameParams::textDocument),
                field("position", &RenameParams::position),
                field("newName", &RenameParams::newName))
};

struct FoldingRange {
  uint32_t startLine = 0, endLine = 0;
  std::optional<std::string> kind;
  GLUOND_FIELDS(field("startLine", &FoldingRange::startLine),
                field("endLine", &FoldingRange::endLine), field("kind", &FoldingRange::kind))
};

struct InlayHintParams {
  TextDocumentIdentifier textDocument;
  Range range;
  GLUOND_FIELDS(field("textDocument", &InlayHintParams::textDocument),
                field("range", &InlayHintParams::range))
};

struct InlayHint {
  Position position;
  std::string label;
  int kind = 1; // 1 type, 2 parameter
  std::optional<MarkupContent> tooltip;
  bool paddingLeft = false;
  GLUOND_FIELDS(field("position", &InlayHint::position), field("label", &InlayHint::label),
                field("kind", &InlayHint::kind), field("tooltip", &InlayHint::tooltip),
                field("paddingLeft", &InlayHint::paddingLeft))
};

struct ExecuteCommandParams {
  std::string command;
  Json arguments;
  GLUOND_FIELDS(field("command", &ExecuteCommandParams::command),
                field("arguments", &ExecuteCommandParams::arguments))
};

} // namespace gluond::lsp
