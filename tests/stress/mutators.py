"""Mutants of Python programs and of launch records. The same seed makes the same mutant of the same seeds."""
import json
import random
import re

from grammar import Grammar

TOKENS = re.compile(r'#[^\n]*|[rbfu]?""".*?"""|[rbfu]?"[^"\n]*"|[rbfu]?\'[^\'\n]*\'|\d[\w.]*|\w+|[ \t]+|\n|\*\*=?|//=?|<<|>>|[-+*/=<>!]=|.', re.S)
ODD = ["(", ")", "[", "]", "{", "}", ":", ",", ".", "**", "lambda: ", "\n", "    ", "\t", "é", '"', "'", '"""', "\\", "\\\n", "*", "-", "~",
       "not ", " is ", " in ", " if ", " else ", " for ", "yield ", "await ", ":=", "@", "=", "->", ";", "...", "\x00", "\r", "\f", "\u2028",
       "\ufeff", "$", "?", "`", "\x1b[31m", "f'{", "}'", "def ", "class ", "import ", "return "]
JSON_LEAVES = [None, True, -1, 0, 1, 2 ** 31, 2 ** 63, 2 ** 64, -(2 ** 63), 10 ** 30, 1e308, "", "*fp16", "i64", "constexpr", "tensordesc", "cuda:90", "\x00",
               "../../../etc/passwd", "/dev/stdin", "$layout", [], {}, [[]], {"$tuple": []}, {"$range": [0, 10 ** 18, 1]}, {"$float": "nan"},
               {"$layout": "BlockedLayout"}, {"$layout": "SliceLayout", "dim": 10 ** 9, "parent": None}, {"$fn": "f"}, {"$dict": [[1]]}]


def tokens(text):
    return TOKENS.findall(text)


LARGEST = 16 << 20  # bytes: a larger file is not read, which is said


class Mutator:
    def __init__(self, programs):
        """`programs`: texts to start from, as (name, text, lines of launch records)."""
        self.programs = programs
        self.grammar = Grammar()

    def mutant(self, seed):
        """(Python as bytes, launch records as bytes or None)"""
        r = random.Random(seed)
        name, text, records = r.choice(self.programs)
        # Some are nothing but hostile; most keep nearly all of a program, so that they get far.
        if r.random() < 0.2:
            text = self.grammar.expand(r, "setup") + "\n" + "\n".join(self.grammar.expand(r, "statement") for _ in range(r.randint(1, 8)))
            records = []
        for _ in range(min(1 + int(r.expovariate(0.6)), 8)):
            text = r.choice(self.OPERATIONS)(self, r, text)
        data = text.encode("utf-8", "surrogatepass")
        if r.random() < 0.03 and data:
            at = r.randrange(len(data))
            data = data[:at] + r.choice([b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x00", b"\xf8\x88\x80\x80\x80", b"\xef\xbb\xbf"]) + data[at:]
        if r.random() < 0.02:
            data = data[: r.randrange(len(data) + 1)]
        data = data[:LARGEST]
        return data, self.records(r, records, seed) if records and r.random() < 0.5 else None

    # Of a list of tokens.
    def _tokens(change):  # noqa: N805
        def operation(self, r, text):
            parts = tokens(text)
            if parts:
                change(self, r, parts)
            return "".join(parts)
        return operation

    @_tokens
    def remove_tokens(self, r, parts):
        at = r.randrange(len(parts))
        del parts[at:at + r.choice([1, 1, 1, 2, 5])]

    @_tokens
    def double_token(self, r, parts):
        at = r.randrange(len(parts))
        parts[at] *= r.choice([2, 2, 3, 50])

    @_tokens
    def swap_tokens(self, r, parts):
        a, b = r.randrange(len(parts)), r.randrange(len(parts))
        parts[a], parts[b] = parts[b], parts[a]

    @_tokens
    def odd_token(self, r, parts):
        parts.insert(r.randrange(len(parts) + 1), r.choice(ODD))

    @_tokens
    def other_numbers(self, r, parts):
        numbers = [i for i, part in enumerate(parts) if part[0].isdigit()]
        for i in r.sample(numbers, min(len(numbers), r.choice([1, 1, 2, 3]))):
            parts[i] = self.grammar.expand(r, "number")

    @_tokens
    def other_names(self, r, parts):
        names = [i for i, part in enumerate(parts) if part.isidentifier()]
        for i in r.sample(names, min(len(names), r.choice([1, 1, 2]))):
            parts[i] = parts[r.choice(names)]

    @_tokens
    def rename_everywhere(self, r, parts):
        names = sorted({part for part in parts if part.isidentifier()})
        if names:
            a, b = r.choice(names), r.choice(names)
            parts[:] = [b if part == a else part for part in parts]

    @_tokens
    def value_in_place(self, r, parts):
        words = [i for i, part in enumerate(parts) if part[0].isalnum() or part[0] == '"']
        if words:
            parts[r.choice(words)] = "(" + self.grammar.expand(r, r.choice(["value", "expression", "number", "gluon", "layout_value", "kernel_value"])) + ")"

    @_tokens
    def nest(self, r, parts):
        words = [i for i, part in enumerate(parts) if part[0].isalnum()]
        if words:
            depth = r.choice([3, 30, 300, 3000, 20000])
            before, after = r.choice([("(", ")"), ("[", "]"), ("(", ",)"), ("{1: ", "}"), ("-", ""), ("not ", ""), ("f(", ")"), ("", ".x"), ("", "[0]"),
                                      ("", "()"), ("(lambda: ", ")"), ("1 + ", ""), ("1 if 1 else ", ""), ("gl.SliceLayout(0, ", ")"), ("a or ", ""), ("a < ", ""), ("2 ** ", ""), ("f'{", "}'")])
            i = r.choice(words)
            parts[i] = before * depth + parts[i] + after * depth

    # Of lines.
    def remove_lines(self, r, text):
        lines = text.split("\n")
        at = r.randrange(len(lines))
        del lines[at:at + r.choice([1, 1, 2, 5, 20])]
        return "\n".join(lines)

    def double_lines(self, r, text):
        lines = text.split("\n")
        at, count = r.randrange(len(lines)), r.choice([1, 1, 2, 5])
        lines[at:at] = lines[at:at + count] * r.choice([1, 1, 2, 100])
        return "\n".join(lines)

    def move_lines(self, r, text):
        lines = text.split("\n")
        at, count = r.randrange(len(lines)), r.choice([1, 1, 2, 5])
        moved = lines[at:at + count]
        del lines[at:at + count]
        to = r.randrange(len(lines) + 1)
        lines[to:to] = moved
        return "\n".join(lines)

    def indent_lines(self, r, text):
        lines = text.split("\n")
        at = r.randrange(len(lines))
        for i in range(at, min(at + r.choice([1, 1, 3]), len(lines))):
            lines[i] = r.choice(["    " + lines[i], lines[i][4:], "\t" + lines[i], " " + lines[i]])
        return "\n".join(lines)

    def splice(self, r, text):
        lines, others = text.split("\n"), r.choice(self.programs)[1].split("\n")
        at, count = r.randrange(len(others)), r.choice([1, 3, 10, 40])
        to = r.randrange(len(lines) + 1)
        lines[to:to] = others[at:at + count]
        return "\n".join(lines)

    def hostile(self, r, text):
        lines = text.split("\n")
        starts = [i for i, line in enumerate(lines) if line.strip()]
        at = r.choice(starts) if starts else 0
        indent = re.match(r" *", lines[at])[0]
        rule = "kernel_statement" if indent and r.random() < 0.6 else "statement"
        lines[at:at] = [indent + line for line in self.grammar.expand(r, rule).split("\n")]
        if r.random() < 0.7:
            lines[0:0] = self.grammar.expand(r, "setup").split("\n")
        return "\n".join(lines)

    def hostile_end(self, r, text):
        return "\n".join([text, self.grammar.expand(r, "setup")] + [self.grammar.expand(r, "statement") for _ in range(r.randint(1, 5))])

    OPERATIONS = [remove_tokens, double_token, swap_tokens, odd_token, other_numbers, other_numbers, other_numbers, other_names, other_names,
                  rename_everywhere, value_in_place, value_in_place, value_in_place, nest, remove_lines, double_lines, move_lines, indent_lines, splice, hostile, hostile,
                  hostile_end]
    del _tokens

    # Lines of JSON, of which one is changed; they name the mutant as their program.
    def records(self, r, lines, seed):
        lines = list(lines)
        at = r.randrange(len(lines))
        out = []
        for i, line in enumerate(lines):
            record = json.loads(line)
            record["file"] = name_of(seed)
            if i == at and r.random() < 0.8:
                self.change_json(r, record)
            out.append(json.dumps(record))
        data = "\n".join(out).encode("utf-8", "surrogatepass")
        if r.random() < 0.1:
            where = r.randrange(len(data))
            data = data[:where] + r.choice([b"", b"}", b"[" * 3000, b"\xff", b'"', b","]) + data[where + 1:]
        return data

    def change_json(self, r, value):
        places = []

        def walk(value):
            for key in list(value) if isinstance(value, dict) else range(len(value)):
                places.append((value, key))
                if isinstance(value[key], (dict, list)):
                    walk(value[key])
        walk(value)
        for container, key in r.sample(places, min(len(places), r.choice([1, 1, 2]))):
            other, its = r.choice(places)
            container[key] = r.choice([r.choice(JSON_LEAVES), json.loads(json.dumps(other[its]))])


def name_of(seed):
    return f"m{seed}.py"
