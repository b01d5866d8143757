// The handlers of all messages, one source file each: the router decodes, the handler calls one
// feature and encodes the result.
#pragma once

#include "lsp/protocol/Extensions.h"
#include "lsp/server/Router.h"

namespace gluond::lsp {

// Returns the complete table, for a server.
Router makeRouter();

// Lifecycle.cpp
Json initialize(const InitializeParams& params, Session& session);
void initialized(const Nothing&, Session& session);
// TextSync.cpp
void didOpen(const DidOpenParams& params, Session& session);
void didChange(const DidChangeParams& params, Session& session);
void didClose(const DocumentParams& params, Session& session);
void didSave(const DocumentParams& params, Session& session);
void didChangeWatchedFiles(const DidChangeWatchedFilesParams& params, Session& session);

// Configuration.cpp: settings by name, from initializationOptions, the client's settings and
// changes of them.
void readInitialConfiguration(const Json& options, Session& session);
void applyConfiguration(const Json& settings, Session& session);
void requestConfiguration(Session& session);
// Reads the settings files of open documents and workspace folders again.
void refreshProjects(Session& session);
void didChangeConfiguration(const DidChangeConfigurationParams& params, Session& session);
void didChangeWorkspaceFolders(const DidChangeWorkspaceFoldersParams& params, Session& session);

// These run on worker threads; each is in the file with its name.
std::optional<Publication> publishedDiagnostics(const std::string& path,
                                                const RequestContext& context, bool isQuick);
Answer<Json> documentDiagnostic(const DocumentDiagnosticParams& params, // Diagnostics.cpp
                                const RequestContext& context);
Answer<Json> workspaceDiagnostic(const WorkspaceDiagnosticParams& params,
                                 const RequestContext& context);
Answer<std::vector<CodeAction>> codeAction(const CodeActionParams& params,
                                           const RequestContext& context);
Answer<CompletionList> completion(const PositionParams& params, const RequestContext& context);
Answer<std::optional<SignatureHelp>> signatureHelp(const PositionParams& params,
                                                   const RequestContext& context);
Answer<Json> definition(const PositionParams& params, const RequestContext& context);
Answer<Json> typeDefinition(const PositionParams& params,
                            const RequestContext& context);     // Definition.cpp
Answer<Json> prepareCallHierarchy(const PositionParams& params, // CallHierarchy.cpp
                                  const RequestContext& context);
Answer<std::vector<CallHierarchyIncomingCall>> incomingCalls(const CallHierarchyCallsParams& params,
                                                             const RequestContext& context);
Answer<std::vector<CallHierarchyOutgoingCall>> outgoingCalls(const CallHierarchyCallsParams& params,
                                                             const RequestContext& context);
Json semanticTokensLegend(); // SemanticTokens.cpp
Answer<Json> semanticTokens(const DocumentParams& params, const RequestContext& context);
Answer<Json> semanticTokensDelta(const SemanticTokensDeltaParams& params,
                                 const RequestContext& context);
Answer<Json> semanticTokensRange(const InlayHintParams& params, const RequestContext& context);
Answer<Json> selectionRange(const SelectionRangeParams& params, const RequestContext& context);
Answer<std::vector<SymbolInformation>> workspaceSymbol(const WorkspaceSymbolParams& params,
                                                       const RequestContext& context);
Answer<std::vector<InlayHint>> inlayHint(const InlayHintParams& params,
                                         const RequestContext& context);
Answer<PassesResult> passes(const PassesParams& params, const RequestContext& context);
Answer<StageIRResult> stageIR(const StageIRParams& params, const RequestContext& context);
// Specializations.cpp
Answer<SpecializationsResult> specializations(const DocumentParams& params,
                                              const RequestContext& context);
Answer<SpecializationsResult> selectSpecialization(const SelectSpecializationParams& params,
                                                   const RequestContext& context);
void changeSelection(const SelectSpecializationParams& params, Session& session);
Answer<std::vector<CodeLens>> codeLens(const DocumentParams& params, const RequestContext& context);
Answer<LayoutMapResult> layoutMap(const LayoutMapParams& params, const RequestContext& context);
// Operations.cpp
Answer<OperationsResult> operations(const OperationsParams& params, const RequestContext& context);
Answer<AccessResult> access(const AccessParams& params, const RequestContext& context);
// StudyLayout.cpp
Answer<ConversionResult> conversion(const ConversionParams& params, const RequestContext& context);
Answer<StudyLayoutResult> studyLayout(const StudyLayoutParams& params,
                                      const RequestContext& context);
Answer<WriteLayoutResult> writeLayout(const WriteLayoutParams& params,
                                      const RequestContext& context);
// Benchmark.cpp: gluond/benchmark and the related requests; owns the running benchmark.
void addBenchmarks(Router& router);
Answer<BenchmarkPlanResult> benchmarkPlan(const BenchmarkPlanParams& params,
                                          const RequestContext& context);
// Timeline.cpp: gluond/simulate and gluond/moment; owns the last run.
void addTimeline(Router& router);
Answer<std::optional<Hover>> hover(const PositionParams& params, const RequestContext& context);
Answer<std::vector<Location>> references(const ReferenceParams& params,
                                         const RequestContext& context);
Answer<Json> documentHighlight(const PositionParams& params,
                               const RequestContext& context); // References.cpp
Answer<WorkspaceEdit> rename(const RenameParams& params, const RequestContext& context);
Answer<Json> prepareRename(const PositionParams& params,
                           const RequestContext& context); // Rename.cpp
Answer<std::vector<DocumentSymbol>> documentSymbol(const DocumentParams& params,
                                                   const RequestContext& context);
Answer<std::vector<FoldingRange>> foldingRange(const DocumentParams& params,
                                               const RequestContext& context);

} // namespace gluond::lsp
