// Classes of the program: their construction, and the features of dataclasses, enums, namedtuples,
// aggregates and exceptions.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// The attribute of a function that abc.abstractmethod marked.
constexpr llvm::StringLiteral abstractMark = "__isabstractmethod__";
bool deleteAttribute(Interpreter& in, Value object, Name name); // del object.name; false if raised
bool setInstanceAttribute(Interpreter& in, const InstanceObject* instance, Name name, Value value);
// object.__setattr__: also of a class that does not allow it, such as a frozen dataclass.
bool setUnrestricted(Interpreter& in, const InstanceObject* instance, Name name, Value value);
Value classSpecial(Interpreter& in, const ClassObject* cls,
                   Name attribute); // __dataclass_fields__, _fields, __members__, ...
Value instanceSpecial(Interpreter& in, Value instance,
                      Name attribute); // attributes specific to the kind of its class
Value classDict(Interpreter& in, const ClassObject* cls, bool annotations);

// Metaclasses.
bool isMetaclass(const ClassObject* cls);  // derives from `type`
bool isOfAbstractClasses(Value metaclass); // is or derives from ABCMeta
// Returns the class of a class, or Absent if that is `type`.
Value metaclassOf(Interpreter& in, const ClassObject* cls);
bool hasUnknownMetaclass(Interpreter& in, const ClassObject* cls);
void setMetaclass(Interpreter& in, const ClassObject* cls, Value metaclass);
// Returns a member that the metaclass gives to the class, bound to it; Absent if there is none;
// Unknown if that cannot be known.
Value metaclassMember(Interpreter& in, const ClassObject* cls, Name member);
// The metaclass of a class with these bases and keywords; Absent if that is `type`.
Value metaclassFor(Interpreter& in, Values bases, llvm::ArrayRef<KeywordArgument> keywords);
// Who makes a metaclass's classes: Python alone, code of the program, or something unknown.
enum class Metaclass : uint8_t { Python, Program, Unknown };
Metaclass whatMakes(Interpreter& in, Value metaclass);
llvm::SmallVector<KeywordArgument> withoutMetaclass(Interpreter& in,
                                                    llvm::ArrayRef<KeywordArgument> keywords);
Value makeByMetaclass(Interpreter& in, const ClassObject* metaclass,
                      const CallArguments& arguments);           // M(name, bases, namespace)
Value newClass(Interpreter& in, const CallArguments& arguments); // type.__new__
llvm::ArrayRef<NativeRow> typeMethods();
llvm::ArrayRef<NativeRow> typeStatics();

// Exceptions.
std::string exceptionMessage(Interpreter& in, Value exception);

// Enums.
bool isIntegerEnum(
    Interpreter& in,
    const ClassObject* cls);             // IntEnum, IntFlag, class X(int, Enum), class X(str, Enum)
bool isFlagEnum(const ClassObject* cls); // Flag, IntFlag
Value invertFlag(Interpreter& in, const ClassObject* cls, Value value); // ~Color(3)
void enumMembers(Interpreter& in, const ClassObject* cls, llvm::SmallVectorImpl<Value>& out);
// Those that a loop over the class gives. Returns whether they are known.
bool listedMembers(Interpreter& in, const ClassObject* cls, llvm::SmallVectorImpl<Value>& out);
Value enumAttribute(Interpreter& in, const EnumObject* member,
                    Name attribute);                                // set in its __init__
Value enumOf(Interpreter& in, const ClassObject* cls, Value value); // Color(3)
Value flagMember(Interpreter& in, const ClassObject* cls,
                 Value value); // the member of a Flag with that value

// Whether its class may define special methods of its own in place of those that the value has.
inline bool mayOverride(Value value) {
  auto* tuple = value.as<TupleObject>();
  return value.is(ValueKind::Enum) || (tuple && tuple->namedtuple);
}

// Tuples with names.
Value namedTupleAttribute(Interpreter& in, Value tuple,
                          Name attribute); // _replace, _asdict, _fields
Value makeNamedTupleClass(Interpreter& in, llvm::StringRef name,
                          llvm::ArrayRef<ClassObject::Field> fields);

// Decorators and helpers, called from the modules dataclasses, collections, typing, triton.
Value dataclassDecorator(Interpreter& in, const CallArguments& arguments);
Value dataclassField(Interpreter& in, const CallArguments& arguments);
Value dataclassReplace(Interpreter& in, const CallArguments& arguments);
Value dataclassFields(Interpreter& in, const CallArguments& arguments);
Value dataclassAsDict(Interpreter& in, const CallArguments& arguments);
Value isDataclass(Interpreter& in, const CallArguments& arguments);
Value aggregateDecorator(Interpreter& in, const CallArguments& arguments);
Value aggregateReplace(Interpreter& in, const CallArguments& arguments);
bool isOrderedDataclass(Interpreter& in, const ClassObject* cls);
bool hasDataclassRepr(Interpreter& in, const ClassObject* cls); // not with repr=False

bool isUnion(Value value); // whether it is a result of makeUnion()
Value makeUnion(Interpreter& in,
                Values members); // X | Y, Union[X, Y]: a tuple that isinstance understands
// Returns the contents of a modelled mapping (a defaultdict, a Counter, globals()) as a Dict, or
// Absent if it is none, or raised.
Value hostDict(Interpreter& in, Value value);
bool updateDict(Interpreter& in, const DictObject* dict, Value other); // dict.update(other)

// Whether the class's instances are objects with attributes, and not ints, tuples, enum members,
// ...: only of such classes are there InstanceObjects.
bool hasPlainInstances(const ClassObject* cls);

} // namespace gluond::evaluate
