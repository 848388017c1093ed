// RUN: kernelscope check %s | count 0
// RUN: kernelscope check --help | FileCheck %s --check-prefix=HELP
// RUN: not kernelscope check %t.nothing 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not kernelscope check --format=xml %s 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not kernelscope check 2>&1 | FileCheck %s --check-prefix=USAGE

// HELP: a column is a code point
// HELP: Exit codes: 0 no errors; 1 errors; 2 wrong usage
// MISSING: .nothing: error: cannot read the file: No such file or directory
// FORMAT: --format: 'xml' is not one of text, summary, json, sarif{{$}}
// USAGE: FILE is required
module {
}
