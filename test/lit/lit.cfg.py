"""lit runs each RUN line of the files below; FileCheck compares what comes out with what they say."""
import os

import lit.formats

config.name = "kernelscope"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ttir", ".ttgir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join([config.bin_dir, config.llvm_tools_dir, os.environ["PATH"]])
