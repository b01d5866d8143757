"""Rows of names as the .def tables of names have them; for the scripts that make these tables."""


def print_row(macro, owner, names, width):
    """MACRO("owner", "name name ..."), its text in lines of about `width` characters."""
    indentation = " " * len(f"{macro}(")
    print(f'{macro}("{owner}",')
    line = ""
    for name in sorted(names):
        if len(line) + len(name) > width:
            print(f'{indentation}"{line}"')
            line = ""
        line += name + " "
    print(f'{indentation}"{line.rstrip()}")')
