import sys

from .compiler import main

sys.exit(main(sys.argv[1:]))
