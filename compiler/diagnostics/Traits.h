// Properties of a diagnostic that do not depend on its arguments: what it is about, and when it may
// be reported although something is not known (tables/Traits.def).
#pragma once

#include "diagnostics/Diagnostic.h"

namespace gluond::diagnostics {

enum class Trait : uint32_t {
  Protocol = 1 << 0,         // about the order of copies, waits and barriers, which no type changes
  Cost = 1 << 1,             // about time alone: layouts, accesses, conversions, instructions
  WithoutTypes = 1 << 2,     // holds whatever types and values a kernel is launched with
  OfTarget = 1 << 3,         // another target may accept the program
  OfOptions = 1 << 4,        // other options of a launch (num_warps) may add or remove it
  ShownByGuesses = 1 << 5,   // holds if every guess of the arguments shows it
  OfAmounts = 1 << 6,        // depends on amounts: never reported if an amount was guessed
  AboutOperands = 1 << 7,    // is about how operands go together
  CertainOfLayouts = 1 << 8, // holds if all guesses show it, provided layouts alone decide it
  CertainOfShapes = 1 << 9,  // the same, if shapes decide it
  GuessedWords = 1 << 10,    // its text names shapes or element types, which guesses differ in
  UnusualNumber = 1 << 11,   // about a float that is no finite number, which may be meant
  CertainOfKinds = 1 << 12,  // holds if all guesses show it, provided it is about kinds of values
  OfLaunch = 1 << 13,        // about the launch itself, which has no kernel of ours perhaps
  SkippedByTuner = 1 << 14,  // an autotuner leaves out a configuration that is refused so
  AboutRecord = 1 << 15,     // about a record of a launch: it says nothing of the kernel
  EndsModule = 1 << 16,      // nothing of the module is known after it
  ByKernel = 1 << 17,        // the kernel itself refuses its arguments
  HoldsForSome = 1 << 18,    // some of its errors hold for any options and target, others do not
  NeedsImport = 1 << 19,     // a forgotten import may cause it
  OfImport = 1 << 20,        // of an import statement, whose correction may bind a name
  ShownByRun = 1 << 21,      // about the order of events, which the timeline of a run shows
  OfNumbers = 1 << 22,       // about numbers of a run, which the program may not use, or mean
};

bool has(Id id, Trait trait);

} // namespace gluond::diagnostics
