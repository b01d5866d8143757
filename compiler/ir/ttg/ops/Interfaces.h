// ttg's implementations of tt's dialect interfaces; called once by the dialect's
// initialize().
#pragma once

namespace gluond::ttg {
class TTGDialect;
void addInferLayoutInterface(TTGDialect& dialect);
void addVerifyLayoutInterface(TTGDialect& dialect);
} // namespace gluond::ttg
