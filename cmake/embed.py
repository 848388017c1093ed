"""Writes a file's bytes as the initialiser of a C array: ccache sees an #include change, an #embed it does not."""
import sys

source, output = sys.argv[1:]
with open(source, "rb") as file, open(output, "w") as text:
    text.write(",".join(map(str, file.read())) + "\n")
