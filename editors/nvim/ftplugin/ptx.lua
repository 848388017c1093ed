-- Hover of instructions.
require("kernelscope").attach(0)
