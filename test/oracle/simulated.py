"""A pytest plugin that runs the launches of Triton's own tests on the wave simulator, with our code: what they expect then judges
our code for chips that this machine does not have.

  KERNELSCOPE=build/bin/kernelscope PYTHONPATH=test/oracle PYTHON -m pytest -p simulated --noconftest --arch gfx1250 --each 5 \\
      CHECKOUT/third_party/amd/python/test/test_gluon_cdna5.py

PYTHON has Triton, PyTorch and pytest; CHECKOUT is a checkout of Triton of about the same version. No GPU is needed: tensors stay
in the memory of the CPU. Each launch compiles the kernel's TTGIR and runs it with the launch's arguments, grid and buffers, which
then hold its results. --each N takes N cases of each test, chosen by --seed. With --code theirs the simulator runs Triton's own
LLVM IR: a test that fails with that, too, says nothing about our code. --keep FOLDER keeps the launches that fail, each with its
command. A buffer is followed by some unused bytes, because some tests read past the end without a mask.

What cannot run is skipped: host descriptors of tensors with gaps, and launches above --limit seconds. Tried with Triton 3.9.0.
"""
import collections
import gc
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile

import numpy
import pytest
import torch
import triton
from torch.overrides import TorchFunctionMode
from triton.backends.compiler import GPUTarget
from triton.backends.driver import GPUDriver
from triton.runtime.cache import get_cache_manager

PROGRAM = os.environ["KERNELSCOPE"]
UNUSED = 256 << 10  # bytes after each buffer
LDS = {"gfx1250": 320 << 10, "gfx950": 160 << 10}
TYPES = {torch.float64: "f8", torch.float32: "f4", torch.float16: "f2", torch.bool: "?"}


class OnCpu(TorchFunctionMode):
    """Tensors that a test wants on the GPU are made on the CPU."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if getattr(func, "__name__", "") == "cuda":
            return args[0]
        place = lambda value: "cpu" if str(value).startswith("cuda") and isinstance(value, (str, torch.device)) else value
        return func(*map(place, args), **{name: place(value) for name, value in (kwargs or {}).items()})


def flatten(kind, value):
    """The types and values of what the kernel gets of an argument."""
    if isinstance(kind, tuple):
        for inner in zip(kind, value):
            yield from flatten(*inner)
    elif kind != "constexpr":
        yield kind, value


def tensor_of(kind, value):
    """The tensor behind a pointer or descriptor, if there is one; some tests pass only its address."""
    value = getattr(value, "base", value) if not isinstance(value, torch.Tensor) else value
    if kind.startswith("*") and isinstance(value, int):
        tensors = [one for one in gc.get_objects() if isinstance(one, torch.Tensor) and one.data_ptr() == value]
        return max(tensors, key=torch.Tensor.numel)
    return value if isinstance(value, torch.Tensor) else None


def memory_of(tensor):
    """Its memory from its first element to the end of what was allocated, as NumPy's type of the same bits."""
    data = torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage()).numpy()
    data = data[tensor.storage_offset() * tensor.element_size():]
    size = tensor.element_size()
    return data[:data.size // size * size].view(TYPES.get(tensor.dtype, f"i{size}" if tensor.dtype.is_signed else f"u{size}"))


class Launcher:
    """Takes the place of the one that Triton builds for each kernel."""

    def __init__(self, src, metadata):
        cache = get_cache_manager(metadata.hash)
        self.files = {end: cache.get_file(f"{src.name[:150]}.{end}") for end in ("ttgir", "llir", "json")}
        self.kinds = list(src.signature.values())

    def __call__(self, x, y, z, stream, function, packed, metadata, enter, leave, *arguments):
        folder = pathlib.Path(tempfile.mkdtemp(dir=options.keep))
        for end, file in self.files.items():
            shutil.copy(file, folder / f"kernel.{end}")
        header = re.search(r"tt\.func public @\w+\((.*?)\)(?: attributes)? \{", (folder / "kernel.ttgir").read_text(), re.S)
        # What follows a descriptor, such as %d.shape.0, is worked out from its tensor.
        names = [name for name in re.findall(r"%([\w.$-]+): ", header[1]) if "." not in name]
        buffers, described = {}, {}
        values = [flat for pair in zip(self.kinds, arguments) for flat in flatten(*pair)]
        for name, (kind, value) in zip(names, values, strict=True):
            tensor = tensor_of(kind, value)
            if tensor is None:
                described[name] = {"shape": 0} if value is None else value
                continue
            data = buffers[name] = memory_of(tensor)
            if kind.startswith("tensordesc"):
                if not tensor.is_contiguous():
                    pytest.skip("a host descriptor of a tensor with gaps")
                content = data[:tensor.numel()].reshape(tensor.shape)
            else:
                content = numpy.concatenate([data, numpy.zeros(UNUSED // data.itemsize, data.dtype)])
            numpy.save(folder / f"{name}.npy", content)
            described[name] = {"fill": {"file": f"{name}.npy"}, "shape": list(content.shape)}
        (folder / "spec.json").write_text(json.dumps({"grid": [x, y, z], "repeat": 0, "arguments": described}))
        self.run(folder)
        for name, data in buffers.items():
            result = folder / "out" / f"{name}.npy"
            if result.exists():
                bits = numpy.ascontiguousarray(numpy.load(result)).reshape(-1).view(numpy.uint8)
                data.view(numpy.uint8)[:bits.size] = bits[:data.nbytes]
        shutil.rmtree(folder)

    def run(self, folder):
        command = [PROGRAM, "run", "kernel.ttgir", "--device", "sim", "--arch", options.arch, "--spec", "spec.json", "--no-compare",
                   "--output", "out"] + (["--code", "kernel.llir"] if options.code == "theirs" else [])
        (folder / "command").write_text(f"{' '.join(command)}\n{os.environ.get('PYTEST_CURRENT_TEST')}\n")
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=options.limit)
        except subprocess.TimeoutExpired:
            pytest.skip(f"takes the simulator more than {options.limit} s")
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "error: " in line]
            pytest.fail(f"{folder.name}: {(errors or [done.stderr])[0]}", pytrace=False)


class Utils:
    """What Triton's driver asks of the chip's runtime."""

    def get_device_properties(self, device):
        return {"max_shared_mem": LDS.get(options.arch, 64 << 10), "multiprocessor_count": 8, "warpSize": lanes(),
                "max_num_regs": 1 << 16, "arch": options.arch, "cooperativeLaunch": 1}

    def load_binary(self, name, code, shared, device):
        return None, None, 0, 0, 1024  # module, function, registers, spills, threads

    def unload_module(self, *_):
        pass


class Driver(GPUDriver):
    def __init__(self):  # The base class looks for a GPU.
        self.utils, self.launcher_cls = Utils(), Launcher
        self.get_current_stream = self.get_current_device = lambda *_: 0
        self.set_current_device = lambda _: None
        self.get_device_capability = lambda *_: (0, 0)

    def get_current_target(self):
        return GPUTarget("hip", options.arch, lanes())

    def get_device_interface(self):
        return torch.cuda

    def get_active_torch_device(self):
        return torch.device("cpu")

    @staticmethod
    def is_active():
        return True

    def map_python_to_cpp_type(self, ty):
        return ty

    def get_benchmarker(self):
        return lambda *_, **__: [0]


options = None


def lanes():
    return 64 if options.arch.startswith("gfx9") else 32


def pytest_addoption(parser):
    parser.addoption("--arch", default="gfx1250", help="the chip that is simulated")
    parser.addoption("--code", choices=["ours", "theirs"], default="ours", help="whose code runs")
    parser.addoption("--each", type=int, help="so many cases of each test")
    parser.addoption("--seed", default="0", help="chooses the cases")
    parser.addoption("--limit", type=int, default=60, help="seconds for a launch")
    parser.addoption("--keep", help="an existing folder for the launches that fail")
    parser.addoption("--device", default="cuda", help="what tests call the device")


def pytest_configure(config):
    global options
    options = config.option
    os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp(prefix="simulated-")
    triton.runtime.driver.set_active(Driver())
    OnCpu().__enter__()
    torch.cuda.is_available, torch.cuda.current_device = lambda: True, lambda: 0
    torch.cuda.synchronize, torch.cuda.get_device_capability = lambda *_: None, lambda *_: (9, 4)


def pytest_collection_modifyitems(config, items):
    if options.each is None:
        return
    tests = collections.defaultdict(list)
    for item in items:
        tests[item.originalname].append(item)
    items[:] = [item for name, cases in tests.items()
                for item in random.Random(name + options.seed).sample(cases, min(options.each, len(cases)))]


@pytest.fixture
def device(request):
    return request.config.getoption("--device")


@pytest.fixture
def fresh_knobs():
    from triton._internal_testing import _fresh_knobs_impl
    knobs, reset = _fresh_knobs_impl()
    try:
        yield knobs()
    finally:
        reset()
