// What IPython adds to Python in the cells of a notebook: `%magic`, `%%magic`, `!command`, `name?`.
//
// Rules: IPython's documentation, "Input transformations" and "Magic commands".
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::driver {

// Returns a cell's text as Python with the same lines. A magic or a command becomes `pass`, or a
// statement that may define any name (`%run x.py`); the value of one becomes unknown (`x = !ls`),
// `%time x = f()` and `%timeit f()` keep their statements, and a cell in another language
// (`%%bash`) becomes empty. Other text is returned unchanged, also if it is no valid Python.
std::string withoutMagics(llvm::StringRef cell);

// Returns the lines that a Python cell has in the program that the cells make: the same, with a
// break after the last one, so that the next cell begins a line.
std::string linesOfProgram(llvm::StringRef cell);

} // namespace gluond::driver
