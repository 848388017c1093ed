#!/usr/bin/env python3
"""Runs Triton's own tests of its concurrency sanitizer on the CPU executor.

Usage: consan.py KERNELSCOPE [--checkout FOLDER] [--details] [--keep FOLDER] [--only NAME]; FOLDER is a checkout of Triton or
of a fork, or the environment's KS_TRITON_CHECKOUT. The Triton of this Python compiles each test's kernel to TTGIR, without a
GPU; nothing of the test but its kernel runs. A test says whether it expects its sanitizer to stop the kernel; `run --device
cpu` must end with an error, or must not. The table counts both, and of the findings those of the kind that the test looks for in
Triton's message: an access of a pending read or write, a deadlock, a barrier that is not initialised. No test of Triton's says
at which op. Exits 77, to be skipped, where Triton or the checkout is
missing.
"""
import argparse
import collections
import concurrent.futures
import inspect
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
from unittest import mock

try:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.backends.nvidia.compiler import CUDABackend
except ImportError as error:
    print(f"skipped: no Triton in {sys.executable}: {error}")
    sys.exit(77)

#: Tests of how Triton compiles, not of what its sanitizer finds.
NO_SUBJECT = ("cache_miss", "consan_uses_profile_scratch", "consan_initializes_allocations")
#: Where the executor's sanitizer is another one on purpose, or not as good.
KNOWN = {
    "clc_double_try_cancel_result_overwrite": "two responses to one place, which only theirs lets meet",
    "ws_join_publishes_proxy_generation": "the two accesses only read",
}
#: What a test looks for in Triton's message, and what ours says then.
KINDS = {
    "outstanding writes": r"asynchronous write to it may|that another (?:partition|CTA) writes|an asynchronous product",
    "outstanding reads": r"asynchronous read of it may|that another (?:partition|CTA) reads|may still read shared memory",
    "type: async_copy_global_to_shared": r"asynchronous write to it may",
    "type: async_copy_shared_to_global": r"asynchronous read of it may|may still read shared memory",
    "type: warpgroup_mma operand read": r"asynchronous read of it may",
    "missing fence_async_shared": r"fence_async_shared",
    "arrive underflow": r"arrives \d+ times at a barrier",
    "re-initialized": r"already initialised",
    "before initialization": r"not initialised",
    "reused before barrier": r"still initialised|not initialised|already initialised|mbarrier",
    "Deadlock detected": r"deadlock",
}
WHERE = "python/test/gluon/test_consan.py"


class Captured(Exception):
    """The kernel has been compiled as far as it is needed."""


class Skipped(Exception):
    """The test skips itself."""


class Type:
    """One of torch's element types."""

    def __init__(self, name, bits):
        self.name, self.itemsize, self.is_floating_point = name, bits // 8, "float" in name

    def __str__(self):
        return "torch." + self.name


TYPES = {name: Type(name, bits) for name, bits in [("float16", 16), ("bfloat16", 16), ("float32", 32), ("float64", 64),
                                                  ("int8", 8), ("uint8", 8), ("int16", 16), ("int32", 32), ("int64", 64),
                                                  ("bool", 8), ("float8_e4m3fn", 8), ("float8_e5m2", 8)]}


class Tensor:
    """A tensor as far as a launch looks at it."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = tuple(shape), dtype

    def data_ptr(self):
        return 1 << 12

    def stride(self, dim=None):
        strides = tuple(itertools.accumulate(reversed(self.shape[1:] + (1, )), lambda a, b: a * b))[::-1]
        return strides if dim is None else strides[dim]

    def to(self, dtype=None, **_):
        return Tensor(self.shape, dtype if isinstance(dtype, Type) else self.dtype)

    def reshape(self, *shape):
        return Tensor(shape[0] if isinstance(shape[0], (list, tuple)) else shape, self.dtype)

    def __getattr__(self, name):
        return lambda *args, **kwargs: self


def make_tensor(*shape, dtype=TYPES["float32"], **_):
    shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else shape
    return Tensor([getattr(size, "value", size) for size in shape], dtype)


def fake_torch():
    torch = types.ModuleType("torch")
    for name, kind in TYPES.items():
        setattr(torch, name, kind)
    torch.dtype, torch.Tensor = Type, Tensor
    for name in ("empty", "zeros", "ones", "randn", "rand"):
        setattr(torch, name, make_tensor)
    torch.randint = lambda *args, dtype=TYPES["int64"], **_: make_tensor(args[-1], dtype=dtype)
    torch.full = lambda shape, value, dtype=TYPES["float32"], **_: make_tensor(shape, dtype=dtype)
    torch.arange = lambda *args, dtype=TYPES["int64"], **_: make_tensor(args[0] if len(args) == 1 else args[1] - args[0],
                                                                       dtype=dtype)
    torch.tensor = lambda data, dtype=TYPES["int64"], **_: make_tensor(len(data), dtype=dtype)
    for name in ("empty_like", "zeros_like", "ones_like", "full_like", "randn_like"):
        setattr(torch, name, lambda like, *args, **kwargs: like)
    torch.isnan = lambda value: value
    torch.manual_seed = lambda seed: None
    torch.cuda = mock.MagicMock()
    torch.cuda.get_device_capability = lambda *args: (10, 0)
    torch.testing = mock.MagicMock()
    return torch


def fake_pytest(cases):
    """`parametrize` notes the cases in the function; fixtures and other marks do nothing."""
    pytest = types.ModuleType("pytest")
    Parameter = collections.namedtuple("Parameter", "values")

    def parametrize(names, values, **_):
        names = names if isinstance(names, (list, tuple)) else names.replace(" ", "").split(",")
        values = [value.values if isinstance(value, Parameter) else value if len(names) > 1 else (value, ) for value in values]

        def mark(function):
            cases.setdefault(function.__name__, []).append([dict(zip(names, value)) for value in values])
            return function
        return mark

    def fixture(*args, **_):
        return args[0] if args and callable(args[0]) else lambda function: function

    def skip(reason="", **_):
        raise Skipped(reason)

    nothing = lambda *args, **kwargs: lambda function: function
    pytest.mark = types.SimpleNamespace(parametrize=parametrize, xfail=nothing, skipif=nothing, skip=nothing,
                                        usefixtures=nothing, enable_warmup=nothing, disable_warmup=nothing)
    pytest.param = lambda *values, **_: Parameter(values)
    pytest.fixture, pytest.skip, pytest.raises = fixture, skip, mock.MagicMock()
    return pytest


class Log(str):
    """What a failed test wrote: whatever the test looks for, which is kept."""

    def __new__(cls, wanted):
        made = super().__new__(cls)
        made.wanted = wanted
        return made

    def __contains__(self, text):
        self.wanted.append(text)
        return True


def alternatives(wanted, source):
    """The texts of `wanted`, and those that the test's source lists beside one of them or joins to it by `or`."""
    literal = r'"[^"]*"'
    groups = re.findall(rf"\[\s*((?:{literal},?\s*)+)\]", source)
    groups += re.findall(rf"((?:\(*{literal} in [\w.]+\)*\s*or\s*)+\(*{literal} in )", source)
    beside = {text for group in groups for texts in [re.findall(r'"([^"]*)"', group)] if set(texts) & set(wanted)
              for text in texts}
    return sorted(set(wanted) | beside)


def is_same_kind(wanted, errors):
    """Whether ours finds what one of the texts means; None if they mean nothing in particular."""
    kinds = [pattern for text in wanted for part, pattern in KINDS.items() if part in text]
    # "outstanding" may be either.
    if any(text.endswith("outstanding") for text in wanted):
        kinds += [KINDS["outstanding writes"], KINDS["outstanding reads"]]
    return any(re.search(kind, line) for kind in kinds for line in errors) if kinds else None


class Run:
    """A test of which only the kernels are compiled."""

    def __init__(self, module):
        self.module, self.ttgir, self.fails, self.wanted = module, None, False, []
        module.run_in_process = self.run_in_process
        module.assert_expected_cuda_failure = self.expect_failure

    def run_in_process(self, function, args=(), kwargs=None, env=None):
        self.capture(lambda: function(*args, **(kwargs or {})))
        return types.SimpleNamespace(exc=None, driver_stderr_output=Log(self.wanted))

    def expect_failure(self, _):
        self.fails = True

    def capture(self, function):
        try:
            function()
        except Captured as captured:
            self.ttgir = str(captured)


def stop(self, mod, metadata, options, capability):
    raise Captured(mod.str_nodebug() if hasattr(mod, "str_nodebug") else str(mod))


def load(path, cases):
    """The module of the tests, with what it needs of torch and pytest put in its place."""
    internal = types.ModuleType("triton._internal_testing")
    for name in ("is_compile_warmup", "is_hip", "is_interpreter"):
        setattr(internal, name, lambda: False)
    for name in ("is_cuda", "is_blackwell", "is_hopper", "is_hopper_or_newer", "is_rubin"):
        setattr(internal, name, lambda: True)
    internal.run_in_process = None
    sys.modules |= {"torch": fake_torch(), "pytest": fake_pytest(cases), "triton._internal_testing": internal}
    try:
        import triton.experimental.gluon.language.nvidia.rubin  # noqa: F401
    except ImportError:  # older than the tests
        from triton.experimental.gluon.language import nvidia
        nvidia.rubin = types.ModuleType("rubin")
        sys.modules["triton.experimental.gluon.language.nvidia.rubin"] = nvidia.rubin
    import importlib.util
    spec = importlib.util.spec_from_file_location("test_consan", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["test_consan"] = module
    spec.loader.exec_module(module)
    return module


def dump(path, only):
    """(name, TTGIR or why there is none, whether it must fail, texts that it looks for) of each case of each test."""
    cases = {}
    module = load(path, cases)
    CUDABackend.make_llir = stop
    for name, function in vars(module).items():
        if not name.startswith("test_") or not inspect.isfunction(function) or only not in name:
            continue
        parameters = inspect.signature(function).parameters
        groups = cases.get(name, [])
        if "num_ctas" in parameters:
            groups = groups + [[{"num_ctas": count} for count in (1, 2, 4)]]
        for chosen in itertools.product(*groups):
            values = {key: value for part in chosen for key, value in part.items()}
            label = name[5:] + "".join(f"-{value}" for value in values.values())
            arch = 90 if "warpgroup" in name or "wgmma" in name else 100
            driver = mock.MagicMock()
            driver.get_current_target.return_value = GPUTarget("cuda", arch, 32)
            driver.get_current_device.return_value = 0
            triton.runtime.driver.set_active(driver)
            run = Run(module)
            fixed = {"device": "cuda", "run_wrapper": True, "monkeypatch": mock.MagicMock(), "fresh_knobs": mock.MagicMock()}
            try:
                run.capture(lambda: function(**{key: values.get(key, fixed.get(key)) for key in parameters}))
            except Skipped:
                continue
            except AssertionError:
                run.fails = True  # It looks for an error in another way.
            except Exception as error:  # pylint: disable=broad-except
                if run.ttgir is None:
                    yield label, f"{type(error).__name__}: {str(error).strip().splitlines()[-1:]}", None, []
                    continue
            if run.ttgir is None or label.startswith(NO_SUBJECT):
                continue
            yield label, run.ttgir, run.fails, alternatives(run.wanted, inspect.getsource(function))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernelscope")
    parser.add_argument("--checkout", default=os.environ.get("KS_TRITON_CHECKOUT"))
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    path = pathlib.Path(args.checkout or "", WHERE)
    if not args.checkout or not path.exists():
        print(f"skipped: no checkout of Triton with {WHERE}")
        sys.exit(77)
    counts, wrong = collections.Counter(), []
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or pathlib.Path(temporary)
        folder.mkdir(exist_ok=True)
        spec = folder / "spec.json"
        spec.write_text('{"grid": 1}')

        def check(case):
            name, ttgir, fails, wanted = case
            if fails is None:
                return name, None, None, ttgir, wanted
            file = folder / (re.sub(r"[^\w.-]", "_", name) + ".ttgir")
            file.write_text(ttgir)
            done = subprocess.run([args.kernelscope, "run", file, "--device", "cpu", "--spec", spec], capture_output=True,
                                  text=True, timeout=120)
            return name, fails, done.returncode != 0, done.stderr, wanted

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(check, dump(path, args.only)))
    for name, fails, failed, text, wanted in results:
        errors = [line for line in text.splitlines() if ": error: " in line]
        # Triton's does not look for what was never written, and lowering inserts proxy fences.
        others = [line for line in errors if "nothing has written" not in line and "fence_async_shared" not in line]
        fences = any("fence_async_shared" in line for line in errors)
        if fails is None:
            what = "not compiled by this Triton"
        elif any("does not run" in line or " ops and is in this loop" in line for line in errors):
            what = "not run by the executor"
        else:
            what = ("must fail: " if fails else "must pass: ") + (
                "found" if others or fails and fences else
                "only a missing fence, or a read of what nothing has written" if errors else "silent")
        known = next((why for test, why in KNOWN.items() if name.startswith(test)), "")
        is_wrong = what.startswith("must") and fails != what.endswith("found")
        if is_wrong and known:
            what += ", known"
        same = is_same_kind(wanted, errors) if what == "must fail: found" else None
        what += {None: "", True: ", of the same kind", False: ", of another kind"}[same]
        if same is False:
            print(f"{name}: Triton's says {wanted}, ours {others or errors}")
        counts[what] += 1
        if is_wrong and not known:
            wrong.append(name)
        if args.details or is_wrong:
            print(f"{name}: {what}: {known} {(others or errors or [''])[0][:200]}")
    for what, count in sorted(counts.items()):
        print(f"{count:4} {what}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
