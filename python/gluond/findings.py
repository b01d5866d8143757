"""What the simulator found in a launch, as Python's exceptions and warnings."""
import dataclasses
import linecache
import warnings

from .codes import NUMBERS

MOST_TOLD = 10


class SimulationWarning(UserWarning):
    """A finding of the simulator that does not stop the program."""


class SimulationError(RuntimeError):
    """A kernel did something wrong in the simulator: `findings` says what, and where."""

    def __init__(self, message, findings=()):
        super().__init__(message)
        self.findings = list(findings)


class SimulationUnsupported(SimulationError, NotImplementedError):
    """The simulator cannot execute an operation of the kernel; this says nothing about the kernel."""


@dataclasses.dataclass
class Place:
    file: str
    line: int
    column: int
    message: str = ""

    def __str__(self):
        return f"{self.file}:{self.line}" if self.file else "?"


@dataclasses.dataclass
class Finding:
    code: str
    severity: str
    message: str
    program: tuple
    is_end: bool  # the program could not go on
    place: Place
    calls: list  # that led there, innermost first
    related: list  # what happened before

    def __str__(self):
        source = linecache.getline(self.place.file, self.place.line).strip() if self.place.file else ""
        lines = [f"{self.place}: {self.message}, in program {self.program} [{self.code}]"]
        lines += [f"    {source}"] if source else []
        lines += [f"  called from {call}" for call in self.calls]
        lines += [f"  {event}: {event.message}" for event in self.related]
        return "\n".join(lines)


def place_of(told):
    return Place(told.get("file", ""), told.get("line", 0), told.get("column", 0), told.get("message", ""))


def finding_of(told):
    return Finding(told["code"], told["severity"], told["message"], tuple(told["program"]), told["isEnd"], place_of(told["place"]),
                   [place_of(each) for each in told["calls"]], [place_of(each) for each in told["related"]])


def warn(finding):
    """At the kernel's line, where filters of warnings look."""
    warnings.warn_explicit(str(finding), SimulationWarning, finding.place.file or "<kernel>", finding.place.line or 1, module=finding.place.file)


ENDS = ("steps", "time", "cancelled")  # of a launch that did not finish


@dataclasses.dataclass
class Outcome:
    findings: list
    printed: str
    end: str
    steps: int
    programs: int


def outcome_of(result):
    """A launch's result; KeyError and the like if it is none."""
    stopped = result["end"] in ENDS
    return Outcome([finding_of(each) for each in result["findings"]], str(result["printed"]), str(result["end"]), int(result["steps"]) if stopped else 0,
                   int(result["programs"]) if stopped else 0)


def report(kernel, outcome, seconds, only_warn):
    """Raises, or warns, of what came of a launch."""
    findings = outcome.findings
    unsupported = [finding for finding in findings if finding.code == "run-unsupported"]
    wrong = [finding for finding in findings if finding.code not in NUMBERS and finding not in unsupported]
    for finding in findings:
        if finding.code in NUMBERS or (only_warn and finding in wrong):
            warn(finding)
    if unsupported:
        raise SimulationUnsupported(f"{kernel}: {unsupported[0]}", unsupported)
    told = [] if only_warn else [str(finding) for finding in wrong[:MOST_TOLD]]
    if len(wrong) > len(told) > 0:
        told.append(f"and {len(wrong) - len(told)} more")
    if outcome.end in ENDS:
        why = {"steps": f"after {outcome.steps} steps", "time": f"after {seconds:g} s (--time-limit)", "cancelled": "by request"}[outcome.end]
        raise SimulationError("\n".join([f"{kernel} was stopped {why}; {outcome.programs} programs had run", *told]), findings)
    if told:
        raise SimulationError("\n".join([f"the simulator found a mistake in {kernel}", *told]), findings)
