//===- Main.cpp - for test programs without a main function of their own --===//

#include "test/unit/RunTests.h"

int main(int argc, char **argv) { return kernelscope::runTests(argc, argv); }
