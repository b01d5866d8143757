// A PTX module as it is played: the instructions of its kernel, registers and labels resolved.
//
// The parser is strict: what it does not understand ends the process and is named.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ptx {

// Ends the process: the module has something that this player does not know, or breaks a rule.
[[noreturn]] void refuse(const std::string& why);

struct Operand {
  enum Kind : uint8_t {
    Nothing, // `_`
    Register,
    Integer,
    Decimal, // 1.0: its bits depend on the instruction's type
    Special, // %tid.x
    Symbol,  // a variable or parameter, plus `value`
    Label,
    Vector,
    Address // parts[0] is the base, `value` the offset, further parts are coordinates
  };
  Kind kind = Nothing;
  bool negated = false; // !%p
  int slot = -1;        // of a register
  int second = -1;      // of the predicate behind `|`
  uint64_t value = 0;
  double decimal = 0;
  std::string name;
  std::vector<Operand> parts;
};

struct Instruction {
  std::string text;
  int line = 0;
  int sourceLine = 0; // of the module's first file, by .loc; 0 if another's
  int guard = -1;     // the register of the predicate
  bool guardNegated = false;
  std::string opcode;
  std::vector<std::string> parts; // of the opcode
  std::vector<Operand> operands;
  std::vector<int> targets; // of a branch, by index
};

struct Variable {
  std::string space, name;
  uint64_t bytes = 0, align = 1;
  std::vector<uint8_t> data;
};

struct Parameter {
  std::string name;
  uint64_t bytes, align, at; // in the parameters' memory
};

struct Module {
  std::string kernel, target;
  std::vector<Parameter> parameters;
  std::vector<Variable> variables; // shared, global and local
  std::vector<Instruction> code;
  unsigned threads = 0, slots = 0;
  unsigned cluster[3] = {1, 1, 1};
  uint64_t parameterBytes = 0;
};

Module parse(const std::string& text);

} // namespace ptx
