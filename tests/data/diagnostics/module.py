# What is told of a module's own code, which gluond evaluates and never runs.
TABLE = [1, 2, 3][7]  # information: [module-exception]
while True:  # information: [budget-exhausted]
    pass
