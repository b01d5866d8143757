#include "driver/launches/RecordVariant.h"

#include "driver/launches/VariantLabels.h"

namespace gluond::driver {

Variant variantOf(const FoundRecord& found, std::shared_ptr<const EvaluatedFile> program) {
  const LaunchRecord& record = *found.record;
  Variant variant;
  variant.id = record.id;
  variant.kernel = record.kernel;
  variant.origin = Origin::Record;
  variant.target = record.target.name();
  variant.label = labelOf(record);
  variant.hash = found.hash;
  variant.program = std::move(program);
  variant.record = found;
  return variant;
}

} // namespace gluond::driver
