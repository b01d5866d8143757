// One file and what belongs to it, through all of gluond but the server.
#pragma once

#include <string>

namespace gluond::fuzz {

// What `gluond check` does with a program (an open document), with the launch records that belong
// to it.
void checkFile(std::string program, std::string records = {});

} // namespace gluond::fuzz
