#!/usr/bin/env python3
"""Editors that Debian 12 lacks, headless, set up as the guide says. Each is looked for in a variable, and skipped without it:
KS_HELIX (hx), KS_NVIM (Neovim 0.11 or newer, for editors/lspconfig), KS_COC (coc.nvim with its build/index.js, for Vim).
The program is in $KERNELSCOPE."""

import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from fcntl import ioctl
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs/guide.md").read_text()
BROKEN = (ROOT / "docs/demo/broken.ttgir").read_text()
ERROR_LINES = [BROKEN[: BROKEN.index(text)].count("\n") + 1 for text in ("end = 1000", "tt.splatt")]


def from_guide(client: str) -> str:
    """The first indented block after the paragraph that begins with `**client**`."""
    block = GUIDE[GUIDE.index(f"**{client}**") :].split("\n\n", 1)[1]
    lines = []
    for line in block.splitlines():
        if line and not line.startswith("    "):
            break
        lines.append(line[4:])
    return "\n".join(lines)


def needs(variable: str, what: str):
    return unittest.skipUnless(os.environ.get(variable), f"{what} is not here: {variable} is not set")


class Terminal:
    """A program in a terminal of 60 lines of 200 columns, and what it has drawn so far, without the codes."""

    def __init__(self, command, environment):
        self.drawn = b""
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], command, {**os.environ, "TERM": "xterm-256color", **environment})
        ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))

    def read(self, seconds: float):
        if select.select([self.end], [], [], seconds)[0]:
            try:
                self.drawn += os.read(self.end, 1 << 16)
            except OSError:
                time.sleep(seconds)

    def text(self) -> str:
        """What was drawn; a jump of the cursor is a blank."""
        return re.sub(r"\s+", " ", re.sub(r"\x1b(\[[0-9;:?>]*[ -/]*[@-~]|[()].|.)", " ", self.drawn.decode(errors="replace")))

    def wait_for(self, condition, seconds=30):
        end = time.time() + seconds
        while time.time() < end and not condition():
            self.read(0.1)
        return condition()

    def type(self, keys: str):
        os.write(self.end, keys.encode())

    def close(self):
        try:
            os.kill(self.process, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.process, 0)
        os.close(self.end)


class Clients(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="kernelscope-clients-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        shutil.copy(ROOT / "docs/demo/broken.ttgir", self.folder)
        # The guide's settings start `kernelscope`.
        (self.folder / "bin").mkdir()
        (self.folder / "bin/kernelscope").symlink_to(os.environ["KERNELSCOPE"])
        self.environment = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
        }
        self.file = str(self.folder / "broken.ttgir")

    def start(self, *command) -> Terminal:
        terminal = Terminal(command, self.environment)
        self.addCleanup(terminal.close)
        return terminal

    @needs("KS_HELIX", "Helix")
    def test_helix(self):
        settings = self.folder / "config/helix/languages.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text(from_guide("Helix"))
        terminal = self.start(os.environ["KS_HELIX"], self.file)
        counted = lambda: re.search(r"● (● )?2", terminal.text())  # In the status line.
        self.assertTrue(terminal.wait_for(counted), terminal.text()[-500:])
        terminal.type(" d")  # The list of diagnostics.
        self.assertTrue(
            terminal.wait_for(lambda: "needs a result" in terminal.text() and "no operation 'tt.splatt'" in terminal.text()),
            terminal.text()[-2000:],
        )
        for keys in ("\x1b", "/tt.get_program_id\r", " k"):
            terminal.type(keys)
            terminal.wait_for(lambda: False, 1)
        hover = r"-> *%row *: *i32"  # As no line of the file has it.
        self.assertTrue(terminal.wait_for(lambda: re.search(hover, terminal.text())), terminal.text()[-2000:])

    @needs("KS_NVIM", "Neovim 0.11")
    def test_lspconfig(self):
        script = self.folder / "try.lua"
        script.write_text(f"""
            {from_comment()}
            vim.lsp.config("kernelscope", dofile("{ROOT}/editors/lspconfig/kernelscope.lua"))
            vim.lsp.enable("kernelscope")
            vim.cmd.edit("{self.file}")
            vim.wait(30000, function() return #vim.diagnostic.get(0) == 2 end, 50)
            local lines = {{}}
            for _, found in ipairs(vim.diagnostic.get(0)) do table.insert(lines, found.lnum + 1) end
            vim.fn.search("tt.get_program_id")
            local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16"), 5000)
            local text = ""
            for _, answer in pairs(hover or {{}}) do text = answer.result and answer.result.contents.value or "" end
            io.stdout:write(vim.json.encode({{ lines = lines, hover = text }}))
            vim.cmd.qall({{ bang = true }})
        """)
        done = subprocess.run(
            [os.environ["KS_NVIM"], "--headless", "--clean", "-c", f"luafile {script}"],
            env={**os.environ, **self.environment}, capture_output=True, text=True, timeout=60,
        )
        seen = json.loads(done.stdout or "{}")
        self.assertEqual(sorted(seen.get("lines", [])), ERROR_LINES, done.stderr)
        self.assertIn("tt.get_program_id", seen["hover"])

    @needs("KS_COC", "coc.nvim")
    def test_coc(self):
        (self.folder / ".vim").mkdir()
        (self.folder / ".vim/coc-settings.json").write_text(from_guide("Vim"))
        autocmd = re.search(r"`(autocmd BufRead[^`]*)`", GUIDE).group(1)
        seen = self.folder / "seen.json"
        script = self.folder / "vimrc"
        script.write_text(f"""
set nocompatible hidden shortmess+=F
filetype plugin on
let g:coc_start_at_startup = 1
let g:coc_disable_startup_warning = 1
let g:coc_data_home = '{self.folder}/coc'
let g:coc_node_path = '{os.environ.get("KS_NODE", "node")}'
set runtimepath^={os.environ.get("KS_COC")}
{autocmd}
function! Look(timer) abort
  if !get(g:, 'coc_service_initialized', 0) | return | endif
  let found = CocAction('diagnosticList')
  if type(found) != v:t_list || len(found) < 2 | return | endif
  call timer_stop(a:timer)
  call search('tt.get_program_id')
  let hover = CocAction('getHover')
  call writefile([json_encode({{'lines': map(copy(found), 'v:val.lnum'), 'hover': hover}})], '{seen}.part')
  call rename('{seen}.part', '{seen}')
endfunction
autocmd VimEnter * call timer_start(200, 'Look', {{'repeat': -1}})
""")
        terminal = self.start("vim", "-u", str(script), self.file)
        self.assertTrue(terminal.wait_for(seen.exists, 60), terminal.text()[-1000:])
        found = json.loads(seen.read_text())
        self.assertEqual(sorted(found["lines"]), ERROR_LINES)
        self.assertIn("tt.get_program_id", str(found["hover"]))


def from_comment() -> str:
    """What the entry of nvim-lspconfig tells its user to write."""
    text = (ROOT / "editors/lspconfig/kernelscope.lua").read_text()
    return re.search(r"--- ```lua\n(.*?)--- ```", text, re.S).group(1).replace("--- ", "")


if __name__ == "__main__":
    program = unittest.main(exit=False).result
    skipped_all = len(program.skipped) == program.testsRun
    sys.exit(1 if not program.wasSuccessful() else 77 if skipped_all else 0)
