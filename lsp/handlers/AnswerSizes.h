// How much an answer about a whole file says at most. An editor cannot show more, and each member
// takes time and memory in two processes of the server and in the editor.
#pragma once

#include <cstddef>

namespace gluond::lsp {

inline constexpr size_t mostDiagnostics = 2000;      // of a document; a last one counts the others
inline constexpr size_t mostKernelsWithLenses = 500; // each has about six
inline constexpr size_t mostSpecializations = 2000;  // of all kernels of a document together
inline constexpr size_t mostSymbols = 10'000;
inline constexpr size_t mostTokens = 100'000;
inline constexpr size_t mostHighlights = 5000;
inline constexpr size_t mostFolds = 5000; // VS Code's own limit
inline constexpr size_t mostHints = 10'000;
inline constexpr size_t mostFixes = 500; // code actions in a range
inline constexpr size_t mostReferences = 10'000;
inline constexpr size_t mostRenamed = 20'000;   // places; more are not renamed at all
inline constexpr size_t mostCalls = 10'000;     // of the call hierarchy: the places of one answer
inline constexpr size_t mostCompletions = 2000; // that have the letters that were typed

} // namespace gluond::lsp
