// Layouts computed from linear maps: what tensor memory and AMD's scaled matrix instructions ask for.
#include "language/Natives.h"

namespace gluond::language::natives {

Value tmemTypeRegLayout(EvaluateContext&, Values) { return Value::unknown(); }
Value mfmaScaleLayout(EvaluateContext&, Values) { return Value::unknown(); }
Value efficientPaddedLayout(EvaluateContext&, Values) { return Value::unknown(); }
Value wmmaScaleLayout(EvaluateContext&, Values) { return Value::unknown(); }

} // namespace gluond::language::natives
