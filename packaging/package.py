#!/usr/bin/env python3
"""Packs the program: package.py PROGRAM OUT [--only KINDS] [--quick]

Writes to the folder OUT, for Linux on x86-64, what needs no more than the C library of the machine that built PROGRAM:
  wheel    puts the program on the PATH of a Python environment; it then finds ptxas, nvdisasm and libdevice of the
           Triton that is installed there
  deb      for Debian and Ubuntu
  tarball  the program, the Neovim plugin and the guide
  vsix     the VS Code extension with the program inside; needs npm
"""
import argparse
import base64
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUMMARY = "Language server and workbench for the GPU kernel IR of Triton and Gluon"
HOME = "https://github.com/kernelscope/kernelscope"
MAINTAINER = "Kernelscope's authors <kernelscope@users.noreply.github.com>"

LAUNCHER = '''"""`python -m kernelscope` is the program `kernelscope`."""
import os
import sys
import sysconfig

program = os.path.join(sysconfig.get_path("scripts"), "kernelscope")
os.execv(program, [program, *sys.argv[1:]])
'''


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def version():
    return re.search(r"project\(kernelscope VERSION ([\d.]+)", read("CMakeLists.txt")).group(1)


def oldest_libc(program):
    """The release of the C library that has every symbol the program needs, as (2, 34)."""
    symbols = subprocess.run(["objdump", "-T", program], capture_output=True, text=True, check=True).stdout
    return max(tuple(int(n) for n in found.split(".")) for found in re.findall(r"\(GLIBC_([\d.]+)\)", symbols))[:2]


def wheel(program, out, quick):
    major, minor = oldest_libc(program)
    tag = f"py3-none-manylinux_{major}_{minor}_x86_64"
    name = f"kernelscope-{version()}"
    info = f"{name}.dist-info"
    metadata = (f"Metadata-Version: 2.1\nName: kernelscope\nVersion: {version()}\nSummary: {SUMMARY}\n"
                f"Home-page: {HOME}\nLicense: Apache-2.0 WITH LLVM-exception\nLicense-File: LICENSE\n"
                f"Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{read('README.md')}")
    files = [("kernelscope/__main__.py", LAUNCHER.encode(), 0o644),
             (f"{info}/METADATA", metadata.encode(), 0o644),
             (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: kernelscope\nRoot-Is-Purelib: false\n"
                               f"Tag: {tag}\n".encode(), 0o644),
             (f"{info}/LICENSE", read("LICENSE").encode(), 0o644)]
    with open(program, "rb") as file:
        # pip copies what is here to the folder of scripts.
        files.append((f"{name}.data/scripts/kernelscope", file.read(), 0o755))
    record = "".join(
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for path, data, _ in files) + f"{info}/RECORD,,\n"
    path = os.path.join(out, f"{name}-{tag}.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1 if quick else 9) as archive:
        for name_in_archive, data, mode in files + [(f"{info}/RECORD", record.encode(), 0o644)]:
            entry = zipfile.ZipInfo(name_in_archive, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return path


def put(folder, path, data, mode=0o644):
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
    os.chmod(path, mode)


def deb(program, out, quick):
    major, minor = oldest_libc(program)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        with open(program, "rb") as file:
            put(folder, "usr/bin/kernelscope", file.read(), 0o755)
        put(folder, "usr/share/doc/kernelscope/copyright",
            "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\n"
            "Copyright: Kernelscope's authors; LLVM's authors\nLicense: Apache-2.0 with LLVM exception\n"
            + "".join(f" {line}\n" if line else " .\n" for line in read("LICENSE").splitlines()))
        put(folder, "usr/share/doc/kernelscope/changelog.gz", gzip.compress(read("CHANGELOG.md").encode(), mtime=0))
        neovim(os.path.join(folder, "usr/share/nvim/site/pack/kernelscope/start/kernelscope"))
        size = sum(os.path.getsize(os.path.join(at, file)) for at, _, files in os.walk(folder) for file in files)
        put(folder, "DEBIAN/control",
            f"Package: kernelscope\nVersion: {version()}\nArchitecture: amd64\nMaintainer: {MAINTAINER}\n"
            f"Installed-Size: {size // 1024}\nDepends: libc6 (>= {major}.{minor})\nSection: devel\nPriority: optional\n"
            f"Homepage: {HOME}\nDescription: {SUMMARY}\n"
            " Errors as you type, hover that explains, PTX and AMDGCN beside the source,\n"
            " and runs on the local GPU or on the CPU, from an editor or the shell.\n")
        path = os.path.join(out, f"kernelscope_{version()}_amd64.deb")
        subprocess.run(["dpkg-deb", "--root-owner-group", f"-z{1 if quick else 6}", "--build", folder, path],
                       check=True, stdout=subprocess.DEVNULL)
        return path


def neovim(folder):
    shutil.copytree(os.path.join(ROOT, "editors", "nvim"), folder, ignore=shutil.ignore_patterns("tags"))


def tarball(program, out, quick):
    name = f"kernelscope-{version()}-linux-x86_64"
    with tempfile.TemporaryDirectory() as folder:
        with open(program, "rb") as file:
            put(folder, f"{name}/bin/kernelscope", file.read(), 0o755)
        for file in ("LICENSE", "CHANGELOG.md", "docs/guide.md"):
            put(folder, f"{name}/{file}", read(file))
        neovim(os.path.join(folder, name, "editors", "nvim"))
        path = os.path.join(out, f"{name}.tar.gz")

        def as_root(entry):
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            return entry

        with tarfile.open(path, "w:gz", compresslevel=1 if quick else 9) as archive:
            archive.add(os.path.join(folder, name), name, filter=as_root)
        return path


def vsix(program, out, quick):
    extension = os.path.join(ROOT, "editors", "vscode")
    path = os.path.join(os.path.abspath(out), f"kernelscope-{version()}-linux-x64.vsix")
    shipped = os.path.join(extension, "bin")
    if not os.path.isdir(os.path.join(extension, "node_modules")):
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=extension, check=True)
    os.makedirs(shipped, exist_ok=True)
    try:
        shutil.copy(program, os.path.join(shipped, "kernelscope"))
        subprocess.run(["npm", "run", "--silent", "package", "--", "--target", "linux-x64", "--out", path],
                       cwd=extension, check=True, stdout=subprocess.DEVNULL)
    finally:
        # The tests of the extension pack one without a program.
        shutil.rmtree(shipped)
    return path


def main():
    kinds = {"wheel": wheel, "deb": deb, "tarball": tarball, "vsix": vsix}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("out")
    parser.add_argument("--only", default=",".join(kinds), help="kinds of packages, separated by commas")
    parser.add_argument("--quick", action="store_true", help="compress little")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "kernelscope")
        subprocess.run(["strip", "-o", program, args.program], check=True)
        for kind in args.only.split(","):
            path = kinds[kind](program, args.out, args.quick)
            print(f"{kind:8} {os.path.getsize(path) / 1e6:6.1f} MB  {path}")


if __name__ == "__main__":
    main()
