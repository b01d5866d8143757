// pytest's fixture monkeypatch: changes environment variables, dicts and attributes for one test.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

Value makeMonkeyPatch(Interpreter& in);
// Takes back its changes, the last first.
void undoPatches(Interpreter& in, Value monkeyPatch);

} // namespace gluond::evaluate
