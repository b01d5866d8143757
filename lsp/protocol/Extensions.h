// gluond's additions to LSP: the requests of the IR view, the layout view and the selection of a
// specialization.
//
// This header, with Panels.h, Benchmarks.h and Timelines.h for the panels, is the only place where
// they are defined; docs/lsp-extensions.md describes every method and field here, and
// tests/unit/lsp/ExtensionsTest.cpp fails if one is missing there. Lines and positions are LSP's
// (0-based).
#pragma once

#include "lsp/protocol/Benchmarks.h"
#include "lsp/protocol/Panels.h"
#include "lsp/protocol/Timelines.h"

namespace gluond::lsp {

// ---------------------------------------------------------------- gluond/specializations

// A specialization of a kernel: from a launch record, a launch found in host code, a directive, or
// defaults.
struct SpecializationInfo {
  std::string id;     // identifies it in other requests; stable while the launch is unchanged
  std::string label;  // short, for a menu: "XBLOCK=256 num_warps=4 (cuda:90)"
  std::string origin; // "directive", "record", "launch" or "default"
  std::string target; // "cuda:90", "hip:gfx942"
  std::optional<Location> source; // its origin: the launch, the directive
  bool selected = false;          // the one that hover, hints and diagnostics refer to
  GLUOND_FIELDS(field("id", &SpecializationInfo::id), field("label", &SpecializationInfo::label),
                field("origin", &SpecializationInfo::origin),
                field("target", &SpecializationInfo::target),
                field("source", &SpecializationInfo::source),
                field("selected", &SpecializationInfo::selected))
};

struct KernelInfo {
  std::string kernel; // __qualname__
  Range range;        // of its name in the `def`
  std::vector<SpecializationInfo> specializations;
  GLUOND_FIELDS(field("kernel", &KernelInfo::kernel), field("range", &KernelInfo::range),
                field("specializations", &KernelInfo::specializations))
};

struct SpecializationsResult {
  std::optional<int32_t> version; // of the document
  std::vector<KernelInfo> kernels;
  // The release of Triton that the document is checked against ("3.8"), and why, if anything but
  // the default chose it.
  std::optional<std::string> triton, tritonBecause;
  GLUOND_FIELDS(field("version", &SpecializationsResult::version),
                field("kernels", &SpecializationsResult::kernels),
                field("triton", &SpecializationsResult::triton),
                field("tritonBecause", &SpecializationsResult::tritonBecause))
};

// ---------------------------------------------------------------- gluond/selectSpecialization

struct SelectSpecializationParams {
  TextDocumentIdentifier textDocument;
  std::string kernel;
  std::optional<std::string> specialization; // if absent, gluond selects again
  GLUOND_FIELDS(field("textDocument", &SelectSpecializationParams::textDocument),
                field("kernel", &SelectSpecializationParams::kernel),
                field("specialization", &SelectSpecializationParams::specialization))
};

// ---------------------------------------------------------------- gluond/stageIR

struct StageIRParams {
  TextDocumentIdentifier textDocument;
  std::string kernel;
  std::optional<std::string> specialization; // if absent, the selected one
  std::string stage;                         // "source", "ttgir"; see `stages` of the result
  std::optional<std::string> pass; // for stage ttgir: the state after this pass; see gluond/passes
  GLUOND_FIELDS(field("textDocument", &StageIRParams::textDocument),
                field("kernel", &StageIRParams::kernel),
                field("specialization", &StageIRParams::specialization),
                field("stage", &StageIRParams::stage), field("pass", &StageIRParams::pass))
};

struct StageInfo {
  std::string id, title, language;
  GLUOND_FIELDS(field("id", &StageInfo::id), field("title", &StageInfo::title),
                field("language", &StageInfo::language))
};

// Line `line` of the text was made by line `sourceLine` of `uri`; `calledFrom` are the lines of the
// calls that led there, innermost first, the kernel's last.
struct LineMapping {
  uint32_t line = 0;
  std::string uri;
  uint32_t sourceLine = 0;
  std::vector<uint32_t> calledFrom;
  GLUOND_FIELDS(field("line", &LineMapping::line), field("uri", &LineMapping::uri),
                field("sourceLine", &LineMapping::sourceLine),
                field("calledFrom", &LineMapping::calledFrom))
};

struct StageIRResult {
  std::optional<int32_t> version; // of the document that the text was made from
  bool stale = false; // the document has errors; the text is from the last version without errors
  std::string specialization, stage;
  std::string text;               // empty if the kernel fails at or before the stage
  std::vector<LineMapping> lines; // by line of the text, without lines that have no place
  std::vector<Diagnostic> diagnostics;
  std::vector<StageInfo> stages; // of this target, in order
  double milliseconds = 0;       // time to make it, 0 if it was cached
  std::string resources;         // of machine code: its registers, in words
  GLUOND_FIELDS(field("version", &StageIRResult::version), field("stale", &StageIRResult::stale),
                field("specialization", &StageIRResult::specialization),
                field("stage", &StageIRResult::stage), field("text", &StageIRResult::text),
                field("lines", &StageIRResult::lines),
                field("diagnostics", &StageIRResult::diagnostics),
                field("stages", &StageIRResult::stages),
                field("milliseconds", &StageIRResult::milliseconds),
                field("resources", &StageIRResult::resources))
};

// ---------------------------------------------------------------- gluond/passes

struct PassesParams {
  TextDocumentIdentifier textDocument;
  std::string kernel;
  std::optional<std::string> specialization; // if absent, the selected one
  GLUOND_FIELDS(field("textDocument", &PassesParams::textDocument),
                field("kernel", &PassesParams::kernel),
                field("specialization", &PassesParams::specialization))
};

// A pass between `source` and `ttgir`, in execution order.
struct PassInfo {
  std::string id;    // "gluon-canonicalize", its second run "gluon-canonicalize:2"
  std::string title; // "Canonicalize"
  bool changed = false;
  std::optional<std::string> text; // the IR after it, if it changed
  GLUOND_FIELDS(field("id", &PassInfo::id), field("title", &PassInfo::title),
                field("changed", &PassInfo::changed), field("text", &PassInfo::text))
};

struct PassesResult {
  std::optional<int32_t> version; // of the document
  std::string specialization;
  std::string text; // at stage source, the input of the first pass
  std::vector<PassInfo> passes;
  std::optional<std::string> failed; // id of the pass that fails; later ones did not run
  GLUOND_FIELDS(field("version", &PassesResult::version),
                field("specialization", &PassesResult::specialization),
                field("text", &PassesResult::text), field("passes", &PassesResult::passes),
                field("failed", &PassesResult::failed))
};

// ---------------------------------------------------------------- the list

// All our methods with their params and results; used by the documentation's test and the router.
namespace method {
inline constexpr const char* stageIR = "gluond/stageIR";
inline constexpr const char* passes = "gluond/passes";
inline constexpr const char* layoutMap = "gluond/layoutMap";
inline constexpr const char* operations = "gluond/operations";
inline constexpr const char* access = "gluond/access";
inline constexpr const char* conversion = "gluond/conversion";
inline constexpr const char* studyLayout = "gluond/studyLayout";
inline constexpr const char* writeLayout = "gluond/writeLayout";
inline constexpr const char* benchmarkPlan = "gluond/benchmarkPlan";
inline constexpr const char* benchmark = "gluond/benchmark";
inline constexpr const char* benchmarkRows = "gluond/benchmarkRows";
inline constexpr const char* stopBenchmark = "gluond/stopBenchmark";
inline constexpr const char* simulate = "gluond/simulate";
inline constexpr const char* moment = "gluond/moment";
inline constexpr const char* specializations = "gluond/specializations";
inline constexpr const char* selectSpecialization = "gluond/selectSpecialization";
} // namespace method

// Calls visit(method, Params*, Result*) for each.
template <typename Visitor> void forEachExtension(Visitor&& visit) {
  visit(method::specializations, static_cast<DocumentParams*>(nullptr),
        static_cast<SpecializationsResult*>(nullptr));
  visit(method::selectSpecialization, static_cast<SelectSpecializationParams*>(nullptr),
        static_cast<SpecializationsResult*>(nullptr));
  visit(method::stageIR, static_cast<StageIRParams*>(nullptr),
        static_cast<StageIRResult*>(nullptr));
  visit(method::passes, static_cast<PassesParams*>(nullptr), static_cast<PassesResult*>(nullptr));
  visit(method::layoutMap, static_cast<LayoutMapParams*>(nullptr),
        static_cast<LayoutMapResult*>(nullptr));
  visit(method::operations, static_cast<OperationsParams*>(nullptr),
        static_cast<OperationsResult*>(nullptr));
  visit(method::access, static_cast<AccessParams*>(nullptr), static_cast<AccessResult*>(nullptr));
  visit(method::conversion, static_cast<ConversionParams*>(nullptr),
        static_cast<ConversionResult*>(nullptr));
  visit(method::studyLayout, static_cast<StudyLayoutParams*>(nullptr),
        static_cast<StudyLayoutResult*>(nullptr));
  visit(method::writeLayout, static_cast<WriteLayoutParams*>(nullptr),
        static_cast<WriteLayoutResult*>(nullptr));
  visit(method::benchmarkPlan, static_cast<BenchmarkPlanParams*>(nullptr),
        static_cast<BenchmarkPlanResult*>(nullptr));
  visit(method::benchmark, static_cast<BenchmarkParams*>(nullptr),
        static_cast<BenchmarkResult*>(nullptr));
  visit(method::benchmarkRows, static_cast<BenchmarkRowsParams*>(nullptr),
        static_cast<BenchmarkRowsResult*>(nullptr));
  visit(method::stopBenchmark, static_cast<StopBenchmarkParams*>(nullptr),
        static_cast<StopBenchmarkResult*>(nullptr));
  visit(method::simulate, static_cast<SimulateParams*>(nullptr),
        static_cast<SimulateResult*>(nullptr));
  visit(method::moment, static_cast<MomentParams*>(nullptr), static_cast<MomentResult*>(nullptr));
}

} // namespace gluond::lsp
