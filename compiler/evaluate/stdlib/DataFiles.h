// JSON files of the workspace, which programs read for their configurations: open(path),
// Path.open(), Path.read_text(), json.load(file) and json.loads(text). Files of other kinds, and
// those that are not in the workspace, are unknown. Nothing is ever written.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// Returns whether it is a JSON file of the workspace.
bool isDataFile(Interpreter& in, llvm::StringRef path);

// Returns a file object, as open(path) does, or the file's text, as its read() does; Unknown if
// isDataFile() is false.
Value dataFile(Interpreter& in, llvm::StringRef path);
Value dataText(Interpreter& in, llvm::StringRef path);

// Returns what json.load(file) or json.loads(text) makes: Unknown if `value` is no file or text of
// the above, or if some of it is not JSON; Absent if it raised.
Value valueOfData(Interpreter& in, Value value);

} // namespace gluond::evaluate
