"""A pytest plugin that puts our PTX or AMDGCN, and our shared bytes, in place of Triton's: its own tests then test our code.

  KERNELSCOPE=build/bin/kernelscope PYTHONPATH=test/oracle PYTHON -m pytest -p our_code CHECKOUT/python/test/unit/language/test_core.py

PYTHON has Triton, PyTorch and pytest; CHECKOUT is a checkout of Triton of the same version, and the machine has a GPU. Each
kernel is compiled by Triton to TTGIR (to TTIR with --from=ttir), and from there by our language server's preview. Where that
refuses, the test is skipped, with our error as the reason; a test that fails has code that is wrong. The summary counts both.
With --refused=theirs, Triton's code takes the place of what we refuse. xdist (-n 8) works: each worker has a server.

Triton's tests also look at the text of its PTX, and at its metadata. What spells an instruction otherwise is no wrong result:
look at the failure. enable_reflect_ftz = False is refused, since neither TTGIR nor an option of ours says it.

  PYTHON our_code.py KERNELSCOPE [TARGET...]

needs no GPU and no PyTorch: compiles kernels.py through the same steps, PTX up to a cubin. Exits 77, to be skipped, where
Triton cannot be imported. Tried with Triton 3.6.0 and 3.9.0.
"""
import atexit
import collections
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "server"))

compiled, refused = collections.Counter(), collections.Counter()


class Refused(Exception):
    """We have no code for a kernel; the message says why."""


class Preview:
    """Our language server, from its first use."""

    def __init__(self):
        self.client, self.version = None, 0

    def __call__(self, module, emit, stage, choices):
        """Our assembly of the module of a stage, and what a launch must know of its kernel; `choices` are what the module leaves open."""
        import lspclient
        if self.client is None:
            self.client = lspclient.Client()
            atexit.register(self.client.process.kill)
        self.version += 1
        uri = f"file:///triton/{self.version}.{stage}"
        self.client.open(uri, module)
        try:
            answer = self.client.request("workspace/executeCommand", {"command": "kernelscope.preview", "arguments": [
                {"uri": uri, "emit": emit, **choices}]}, timeout=120)
        except (lspclient.Error, TimeoutError) as error:
            raise Refused(str(error).splitlines()[0]) from error
        finally:
            self.client.close_document(uri)
        return answer["text"], answer["kernels"][0]


preview = Preview()


# What TTGIR does not say either: our names and Triton's.
OPTIONS = {"enableFpFusion": "enable_fp_fusion", "wavesPerEu": "waves_per_eu", "allowFlushDenorm": "allow_flush_denorm"}


def choices_of(options, backend):
    """What a preview must know to compile TTIR as Triton would."""
    arch = str(options.arch)
    if backend == "ptx":
        capability = int(re.search(r"\d+", arch).group())
        arch = f"sm_{capability}a" if capability >= 90 else f"sm_{capability}"
    return {"arch": arch, "warps": options.num_warps, "ctas": options.num_ctas, "stages": options.num_stages}


def replace_assembly(stages, options, stage, theirs_too):
    """Makes the stage that gives assembly ours, from what `stage` gives."""
    emit = "ptx" if "ptx" in stages else "amdgcn"
    to_stage, to_assembly = stages.get(stage), stages[emit]
    text = None

    def keep(module, metadata):
        nonlocal text
        module = to_stage(module, metadata)
        text = str(module)
        return module

    def our_assembly(module, metadata):
        theirs = to_assembly(module, metadata)
        try:
            if text is None:
                raise Refused(f"the test begins after {stage.upper()}")
            if not getattr(options, "enable_reflect_ftz", True):
                raise Refused("enable_reflect_ftz = False")
            if stage == "ttir" and metadata.get("tensordesc_meta"):
                raise Refused("Triton fills the host's tensor maps as its own TTGIR needs them")
            choices = {name: getattr(options, option) for name, option in OPTIONS.items() if hasattr(options, option)}
            choices |= choices_of(options, emit) if stage == "ttir" else {}
            assembly, kernel = preview(text, emit, stage, choices)
        except Refused as why:
            refused[re.sub(r"^\S+:\d+:\d+: ", "", str(why))] += 1
            if theirs_too:
                return theirs
            import pytest
            pytest.skip(f"refused: {why}")
        compiled[emit] += 1
        metadata |= {"name": kernel["name"], "num_warps": kernel["warps"], "shared": kernel["sharedBytes"],
                     "global_scratch_size": kernel["scratchBytes"], "global_scratch_align": 128,  # as tensor maps need
                     "profile_scratch_size": kernel["profileScratchBytes"], "profile_scratch_align": 128}
        return re.sub(r",\s*debug|debug,\s*", "", assembly)

    if to_stage:
        stages[stage] = keep
    stages[emit] = our_assembly


def patch(theirs_too, stage="ttgir"):
    """Triton's backends, from now on, have our stage; its cache is a new one. We link its libdevice, too."""
    import triton
    from triton.backends import backends
    for libdevice in (pathlib.Path(triton.__file__).parent / "backends/nvidia").rglob("libdevice.10.bc"):
        os.environ.setdefault("KERNELSCOPE_LIBDEVICE", str(libdevice))
    os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp(prefix="our-code-")
    for backend in {entry.compiler for entry in backends.values()}:
        def add_stages(self, stages, options, *rest, theirs=backend.add_stages):
            theirs(self, stages, options, *rest)
            replace_assembly(stages, options, stage, theirs_too)
        backend.add_stages = add_stages


def summary():
    lines = [f"{sum(compiled.values())} kernels compiled by us, {sum(refused.values())} refused"]
    return lines + [f"{count:6} {why}" for why, count in refused.most_common()]


def pytest_addoption(parser):
    parser.addoption("--refused", choices=["skip", "theirs"], default="skip", help="a test with a kernel that we refuse")
    parser.addoption("--from", choices=["ttgir", "ttir"], default="ttgir", dest="stage", help="what Triton hands over to us")


def pytest_configure(config):
    patch(config.getoption("--refused") == "theirs", config.getoption("stage"))
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(Workers())


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):  # in a worker of xdist
        session.config.workeroutput["our_code"] = [dict(compiled), dict(refused)]


class Workers:
    """Adds up what the workers of xdist count."""

    def pytest_testnodedown(self, node):
        for total, counts in zip((compiled, refused), getattr(node, "workeroutput", {}).get("our_code", ())):
            total.update(counts)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.section("our code")
    for line in summary():
        terminalreporter.line(line)


def main():
    try:
        import triton
        from triton.backends.compiler import GPUTarget
    except ImportError as error:
        print(f"skipped: no Triton in {sys.executable}: {error}")
        return 77
    os.environ["KERNELSCOPE"] = sys.argv[1]
    patch(theirs_too=True)
    from kernels import kernels
    for name in sys.argv[2:] or ["cuda-90", "hip-gfx942"]:
        backend, arch = name.split("-")
        target = GPUTarget(backend, int(arch) if arch.isdigit() else arch, 32 if backend == "cuda" else 64)
        for kernel, function, signature, constants, options in kernels():
            types = {**signature, **{key: "constexpr" for key in constants}}
            source = triton.compiler.ASTSource(function, {key: types[key] for key in function.arg_names}, constants)
            before = sum(compiled.values())
            code = triton.compile(source, target=target, options=options)
            if sum(compiled.values()) > before and code.metadata.name != function.__name__:
                print(f"{name} {kernel}: the kernel is called {code.metadata.name}")
                return 1
    print("\n".join(summary()))
    return 0 if compiled else 1


if __name__ == "__main__":
    sys.exit(main())
