"""What kernels of the corpus mean, in NumPy: one function each, named after the kernel.

A function takes the kernel's arguments by their names (buffers flat, as they are before the run, floats as float64) and
`grid`, and `shapes` of the buffers, and gives the buffers that it changes. It is written from the kernel's meaning, in
float64; a rounding that the kernel asks for in between (`f16`) is a part of that. Elements that it does not write keep their
value. A buffer that it gives shorter than it is, is compared up to there: the rest depends on the order of programs. None: the
stage has other arguments, which are not known.
"""
from attention import *
from elementwise import *
from memory import *
from products import *
from reductions import *
