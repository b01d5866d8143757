#include "driver/Worker.h"

namespace gluond::driver {

struct Worker::State {};

Worker::Worker() = default;
Worker::~Worker() = default;

} // namespace gluond::driver
