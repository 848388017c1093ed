"""What the scripts that time code on a GPU share: compiling dumps with Triton, assembling PTX, and our program's reports."""
import json
import pathlib
import re
import subprocess


class Left(Exception):
    """Why a dump is left out."""


def call(*command):
    """Runs a command; Left with the first line of its error if it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or [f"exit code {done.returncode}"]
        raise Left(f"{pathlib.Path(command[0]).name}: {lines[0]}")
    return done


def assemble(ptx, cubin):
    """Registers and spilled bytes of each thread, by the ptxas of Triton."""
    import triton

    ptxas = pathlib.Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "ptxas"
    arch = re.search(r"^\.target (sm_\w+)", ptx.read_text(), re.M).group(1)
    said = call(ptxas, "-v", f"-arch={arch}", ptx, "-o", cubin).stderr
    registers = re.findall(r"Used (\d+) registers", said)
    spills = re.findall(r"(\d+) bytes spill stores", said)
    return max(map(int, registers), default=0), max(map(int, spills), default=0)


def warps_of(dump):
    """The warps that the dump's kernel has; those of the .ttgir beside a .ttir, else Triton's default."""
    beside = dump.with_suffix(".ttgir")
    warps = beside.exists() and re.search(r'"ttg.num-warps" = (\d+)', beside.read_text())
    return int(warps.group(1)) if warps else 4


def compile_theirs(dump, stem, capability=None):
    """Triton's code for the dump in STEM.ptx and .cubin, and what its launch needs in STEM.json: registers and spilled bytes
    of a thread, and bytes of shared memory. A .ttir names no chip: it is compiled for `capability`."""
    import triton
    from triton.backends.compiler import GPUTarget

    options = {}
    if dump.suffix == ".ttir":
        options["num_warps"] = warps_of(dump)
    else:
        named = re.search(r'"cuda:(\d+)"', dump.read_text())
        capability = named and int(named.group(1))
    if not capability:
        raise Left("names no NVIDIA target")
    try:
        compiled = triton.compile(str(dump), target=GPUTarget("cuda", capability, 32), options=options)
    except Exception as error:
        raise Left(f"Triton: {str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__}")
    stem.with_suffix(".ptx").write_text(compiled.asm["ptx"])
    metadata = compiled.metadata._asdict()
    needs = {key: metadata[key] for key in ("num_warps", "shared", "global_scratch_size") if metadata.get(key) is not None}
    stem.with_suffix(".json").write_text(json.dumps(needs))
    return assemble(stem.with_suffix(".ptx"), stem.with_suffix(".cubin")), needs.get("shared", 0)


def recorded(dump, stem):
    """As compile_theirs, of the code that Triton wrote beside a dump of a corpus, whose manifest has the shared bytes. Its version
    of PTX is lowered to what this ptxas reads."""
    files = json.loads((dump.parents[1] / "manifest.json").read_text())["files"]
    written = f"{dump.parent.name}/{dump.stem}.ptx"
    needs = [{key: file[key] for key in ("num_warps", "shared")} for file in files if file["file"] == written]
    if not needs or not dump.with_suffix(".ptx").exists():
        raise Left("the manifest names no PTX for it")
    text = dump.with_suffix(".ptx").read_text()
    stem.with_suffix(".ptx").write_text(re.sub(r"^\.version .*", ".version 8.7", text, flags=re.M))
    stem.with_suffix(".json").write_text(json.dumps(needs[0]))
    return assemble(stem.with_suffix(".ptx"), stem.with_suffix(".cubin")), needs[0]["shared"]


def report(program, dump, *options):
    """The report of `kernelscope run`, as docs/run.md describes it."""
    said = call(program, "run", dump, "--format", "json", *options).stdout
    return json.loads(said[("\n" + said).rindex("\n{\n") :])  # after what the kernel prints
