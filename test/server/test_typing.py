"""What an editor asks while someone types, as far as only the protocol shows it."""

import os
import signal
import tempfile
import unittest
from pathlib import Path

from lspclient import BROKEN, KERNEL, Client, Error, at, find, large, whole
from processes import eventually, stop

URI = "file:///typing.ttgir"


def patched(data, edits):
    for edit in sorted(edits, key=lambda edit: -edit["start"]):
        data[edit["start"]:edit["start"] + edit["deleteCount"]] = edit.get("data", [])
    return data


class SemanticTokens(unittest.TestCase):
    def ask(self, client, kind, **params):
        return client.request(f"textDocument/semanticTokens/{kind}", {**whole(URI), **params})

    def test_a_delta_makes_the_new_tokens_of_the_old(self):
        with Client() as client:
            client.open(URI, KERNEL)
            before = self.ask(client, "full")
            for version, word, text in (2, "tt.load", "// a note\n"), (3, "%to = tt.addptr", ""), (4, "}\n", "%x = "):
                line, _ = find(KERNEL, word)
                client.change(URI, version, ((line, 0), (line + (not text), 0), text))
                delta = self.ask(client, "full/delta", previousResultId=before["resultId"])
                after = self.ask(client, "full")
                self.assertNotIn("data", delta)
                self.assertLess(sum(len(edit["data"]) for edit in delta["edits"]), 100)
                self.assertEqual(patched(before["data"], delta["edits"]), after["data"])
                before = after

    def test_without_a_change_there_is_no_edit(self):
        with Client() as client:
            client.open(URI, KERNEL)
            before = self.ask(client, "full")
            self.assertEqual(self.ask(client, "full/delta", previousResultId=before["resultId"])["edits"], [])

    def test_of_tokens_that_nobody_knows_all_are_sent(self):
        with Client() as client:
            client.open(URI, KERNEL)
            data = self.ask(client, "full")["data"]
            self.assertEqual(self.ask(client, "full/delta", previousResultId="other")["data"], data)

    def test_of_a_range(self):
        with Client() as client:
            client.open(URI, KERNEL)
            line, _ = find(KERNEL, "tt.load")
            part = self.ask(client, "range", range={"start": {"line": line, "character": 0},
                                                    "end": {"line": line + 1, "character": 0}})["data"]
            self.assertEqual(part[0], line)
            self.assertEqual(sum(part[5::5]), 0, "all on that line")


class Rename(unittest.TestCase):
    def test_what_cannot_be_is_an_error_that_says_why(self):
        with Client() as client:
            client.open(URI, KERNEL)
            place = at(URI, *find(KERNEL, "%value"))
            edit = client.request("textDocument/rename", {**place, "newName": "loaded"})
            self.assertEqual([change["newText"] for change in edit["changes"][URI]], ["%loaded"] * 2)
            with self.assertRaises(Error) as raised:
                client.request("textDocument/rename", {**place, "newName": "range"})
            self.assertIn("line 4 already has a value named '%range'", str(raised.exception))

    def test_only_who_prepares_is_told_of_it(self):
        for able in False, True:
            with Client(initialize=False) as client:
                result = client.initialize(capabilities={"textDocument": {"rename": {"prepareSupport": able}}})
                self.assertEqual(result["capabilities"]["renameProvider"], {"prepareProvider": True} if able else True)

    def test_the_sigil_stays(self):
        with Client() as client:
            client.open(URI, KERNEL)
            target = client.request("textDocument/prepareRename", at(URI, *find(KERNEL, "%value")))
            self.assertEqual(target["placeholder"], "value")


class Functions(unittest.TestCase):
    def test_symbols_of_all_open_files(self):
        with Client() as client:
            client.open(URI, KERNEL)
            client.open("file:///other.ttgir", KERNEL.replace("@copy", "@cosine_pay"))
            found = client.request("workspace/symbol", {"query": "copY"})
            self.assertEqual({(symbol["name"], symbol["location"]["uri"]) for symbol in found},
                             {("copy", URI), ("cosine_pay", "file:///other.ttgir")})
            self.assertEqual(client.request("workspace/symbol", {"query": "zzz"}), [])

    def test_symbols_of_files_that_are_not_open(self):
        with tempfile.TemporaryDirectory() as folder:
            def write(name, text):
                path = Path(folder, name)
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
                return path
            shut = write("hash/shut.ttgir", "// \u00e9\n" + KERNEL)
            write("open.ttir", KERNEL)
            write("notes.mlir", "func.func @copy() { return }")
            write(".git/hidden.ttgir", KERNEL)
            Path(folder, "broken.ttgir").write_bytes(b'tt.func @"z\xff"() { tt.return }')
            with Client(folder=folder) as client:
                # Its text in the editor counts, not the file's.
                client.open(Path(folder, "open.ttir").as_uri(), KERNEL.replace("@copy", "@copied"))
                found = client.request("workspace/symbol", {"query": "cop"})
                self.assertEqual({(symbol["name"], Path(symbol["location"]["uri"]).name) for symbol in found},
                                 {("copy", "shut.ttgir"), ("copied", "open.ttir")})
                symbol, = client.request("workspace/symbol", {"query": "z"})
                self.assertEqual(symbol["name"], '"z\ufffd"')
                symbol, = client.request("workspace/symbol", {"query": "copy"})
                line, column = find("// \u00e9\n" + KERNEL, "@copy")
                self.assertEqual(symbol["location"], {"uri": shut.as_uri(), "range": {
                    "start": {"line": line, "character": column}, "end": {"line": line, "character": column + 5}}})

    def test_symbols_follow_the_files(self):
        with tempfile.TemporaryDirectory() as folder:
            kept, gone = Path(folder, "kept.ttgir"), Path(folder, "gone.ttgir")
            for path in kept, gone:
                path.write_text(KERNEL)
            with Client(folder=folder) as client:
                def found():
                    return [symbol["name"] for symbol in client.request("workspace/symbol", {"query": "cop"})]
                self.assertEqual(found(), ["copy", "copy"])
                kept.write_text(KERNEL.replace("@copy", "@copied"))
                gone.unlink()
                eventually("the files as they are now", lambda: found() == ["copied"], timeout=30)

    def test_symbols_found_so_far(self):
        """A request does not wait for a folder that takes long, and says so; the reading goes on."""
        with tempfile.TemporaryDirectory() as folder:
            for i in range(1001):
                Path(folder, f"{i}.ttgir").write_text(f"tt.func @f{i}() {{ tt.return }}")
            with Client(folder=folder, capabilities={"window": {"workDoneProgress": True}}) as client:
                client.open(URI, KERNEL)
                zygote = client.child("zygote")
                stop(zygote)
                symbol, = client.request("workspace/symbol", {"query": ""})
                self.assertEqual(symbol["name"], "copy")
                message, = client.messages
                self.assertIn("has read no file of the workspace yet", message["message"])
                os.kill(zygote, signal.SIGCONT)
                self.assertEqual(len(client.request("workspace/symbol", {"query": "f1"})),
                                 sum("1" in str(i) for i in range(1001)))
                begin, *reports, end = [progress["value"] for progress in client.progress]
                self.assertEqual((begin["kind"], begin["title"]), ("begin", "Reading the workspace's functions"))
                self.assertEqual(reports[-1], {"kind": "report", "message": "1001 of 1001 files", "percentage": 100})
                self.assertEqual(end["kind"], "end")
                self.assertEqual(len(client.messages), 1)

    def test_symbols_without_files(self):
        with Client() as client:
            self.assertEqual(client.request("workspace/symbol", {"query": ""}), [])

    def test_the_call_hierarchy_goes_both_ways(self):
        text = """module {
  tt.func private @leaf() {
    tt.return
  }
  tt.func @kernel() {
    tt.call @leaf() : () -> ()
    tt.return
  }
}
"""
        with Client() as client:
            client.open(URI, text)
            leaf, = client.request("textDocument/prepareCallHierarchy", at(URI, *find(text, "leaf")))
            call, = client.request("callHierarchy/incomingCalls", {"item": leaf})
            self.assertEqual(call["from"]["name"], "kernel")
            self.assertEqual(call["fromRanges"][0]["start"]["line"], 5)
            call, = client.request("callHierarchy/outgoingCalls", {"item": call["from"]})
            self.assertEqual(call["to"]["name"], "leaf")


class Text(unittest.TestCase):
    def test_a_range_is_formatted_alone(self):
        text = KERNEL.replace("    %srcs =", "  %srcs  =").replace("    %from", " %from")
        with Client() as client:
            client.open(URI, text)
            line, _ = find(text, "%srcs  =")
            edits = client.request("textDocument/rangeFormatting", {
                "textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": True},
                "range": {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}})
            self.assertEqual({edit["range"]["start"]["line"] for edit in edits}, {line})
            self.assertEqual(len(edits), 2)

    def test_selections_are_nested(self):
        with Client() as client:
            client.open(URI, KERNEL)
            line, character = find(KERNEL, "tt.load")
            selection, = client.request("textDocument/selectionRange", {
                "textDocument": {"uri": URI}, "positions": [{"line": line, "character": character}]})
            depth = 0
            while selection := selection.get("parent"):
                depth += 1
            self.assertGreater(depth, 4)

    def test_an_op_in_quotes_is_not_filtered_out(self):
        text = KERNEL.replace("tt.load %from :", '"tt.loa" :')
        with Client() as client:
            client.open(URI, text)
            line, character = find(text, '"tt.loa')
            list = client.request("textDocument/completion", at(URI, line, character + 7))
            load = next(item for item in list["items"] if item["label"] == "tt.load")
            self.assertEqual(load["filterText"], '"tt.load')
            self.assertEqual(load["textEdit"]["range"]["end"]["character"], character + 8, "the closing quote goes, too")

    def test_a_client_asks_again_until_the_dialect_is_typed(self):
        """An editor filters a complete list by itself, and the ops for `t` do not include all of `tt.`."""
        for typed, is_incomplete in ("", True), ("t", True), ("tt", True), ("tt.", False), ("tt.l", False):
            text = KERNEL.replace("tt.load %from :", f"{typed} :")
            with Client() as client:
                client.open(URI, text)
                line, character = find(text, "%value = ")
                list = client.request("textDocument/completion", at(URI, line, character + 9 + len(typed)))
                self.assertEqual((typed, list["isIncomplete"]), (typed, is_incomplete))

    def test_snippets_only_for_who_takes_them(self):
        text = KERNEL.replace("tt.load %from :", "tt.loa")
        for able in False, True:
            with Client(capabilities={"textDocument": {"completion": {"completionItem": {"snippetSupport": able}}}}) as client:
                client.open(URI, text)
                line, character = find(text, "tt.loa")
                list = client.request("textDocument/completion", at(URI, line, character + 6))
                typed = next(item["textEdit"]["newText"] for item in list["items"] if item["label"] == "tt.load")
                self.assertEqual(typed, "tt.load ${1:%ptr} : ${2:!tt.ptr<f32>}" if able else "tt.load %ptr : !tt.ptr<f32>")


class PythonFiles(unittest.TestCase):
    def test_places_are_links(self):
        text = KERNEL.replace("tensor<128xi32, #blocked>\n", 'tensor<128xi32, #blocked> loc("/far/away/kernels/copy.py":2:5)\n', 1)
        with tempfile.TemporaryDirectory() as folder:
            python = Path(folder) / "kernels" / "copy.py"
            python.parent.mkdir()
            python.write_text("def copy():\n    pass\n")
            uri = (Path(folder) / "copy.ttgir").as_uri()
            with Client() as client:
                client.open(uri, text)
                link, = client.request("textDocument/documentLink", whole(uri))
                self.assertEqual(link["target"], python.as_uri() + "#L2,5")
                place = at(uri, *find(text, "away"))
                target = client.request("textDocument/definition", place)
                self.assertEqual((target["uri"], target["range"]["start"]), (python.as_uri(), {"line": 1, "character": 4}))
                hover = client.request("textDocument/hover", at(uri, *find(text, "tt.make_range")))
                self.assertIn(f"]({python.as_uri()}#L2,5)", hover["contents"]["value"])

    def test_in_a_folder_of_the_setting_and_by_name_alone(self):
        text = KERNEL.replace("tensor<128xi32, #blocked>\n", 'tensor<128xi32, #blocked> loc("/far/copy.py":2:5)\n', 1)
        with tempfile.TemporaryDirectory() as folder:
            python = Path(folder) / "deep" / "down" / "copy.py"
            python.parent.mkdir(parents=True)
            python.write_text("")
            for options, found in ({"sources": [folder]}, 1), (None, 0):
                with Client(options=options) as client:
                    client.open(URI, text)
                    self.assertEqual(len(client.request("textDocument/documentLink", whole(URI))), found)

    def test_the_setting_can_change(self):
        text = KERNEL.replace("tensor<128xi32, #blocked>\n", 'tensor<128xi32, #blocked> loc("/far/copy.py":2:5)\n', 1)
        with tempfile.TemporaryDirectory() as folder, Client() as client:
            (Path(folder) / "copy.py").write_text("")
            client.open(URI, text)
            self.assertEqual(client.request("textDocument/documentLink", whole(URI)), [])
            configure = lambda settings: client.notify("workspace/didChangeConfiguration",
                                                       {"settings": {"kernelscope": settings}})
            configure({"sources": [folder]})
            self.assertEqual(len(client.request("textDocument/documentLink", whole(URI))), 1)
            configure({"allow": []})  # says nothing of folders
            self.assertEqual(len(client.request("textDocument/documentLink", whole(URI))), 1)
            client.kill("engine")
            self.assertEqual(len(client.request("textDocument/documentLink", whole(URI))), 1)
            configure({"sources": []})
            self.assertEqual(client.request("textDocument/documentLink", whole(URI)), [])


class PulledDiagnostics(unittest.TestCase):
    ASKS = {"textDocument": {"diagnostic": {}}}

    def test_who_asks_gets_them_and_is_not_told(self):
        with Client(capabilities=self.ASKS) as client:
            client.open(URI, BROKEN)
            first = client.request("textDocument/diagnostic", whole(URI))
            self.assertEqual((first["kind"], len(first["items"])), ("full", 1))
            again = client.request("textDocument/diagnostic", {**whole(URI), "previousResultId": first["resultId"]})
            self.assertEqual(again, {"kind": "unchanged", "resultId": first["resultId"]})
            client.change(URI, 2, KERNEL)
            self.assertEqual(client.request("textDocument/diagnostic", whole(URI))["items"], [])
            self.assertEqual(client.diagnostics, {})

    def test_an_edit_overtakes_who_asked(self):
        with Client(capabilities=self.ASKS) as client:
            client.open(URI, large(15000))
            id = client.ask("textDocument/diagnostic", whole(URI))
            client.change(URI, 2, ((0, 0), (0, 0), "\n"))
            with self.assertRaises(Error) as raised:
                client.answer(id)
            self.assertEqual(raised.exception.code, -32801)

    def test_a_new_setting_asks_the_client_to_ask_again(self):
        with Client(capabilities={**self.ASKS, "workspace": {"diagnostics": {"refreshSupport": True}}}) as client:
            client.open(URI, KERNEL)
            client.request("textDocument/diagnostic", whole(URI))
            client.notify("workspace/didChangeConfiguration", {"settings": {"kernelscope": {"allow": ["older-spelling"]}}})
            client.wait_until(lambda: "workspace/diagnostic/refresh" in [asked["method"] for asked in client.own_requests],
                              "the request to ask again")

    def test_who_takes_both_is_told(self):
        both = {"textDocument": {"diagnostic": {}, "publishDiagnostics": {}}}
        with Client(initialize=False) as client:
            self.assertNotIn("diagnosticProvider", client.initialize(capabilities=both)["capabilities"])
            client.open(URI, BROKEN)
            self.assertEqual(len(client.wait_diagnostics(URI, 1)), 1)
        with Client(initialize=False) as client:
            result = client.initialize(capabilities=both, options={"diagnostics": "pull"})
            self.assertIn("diagnosticProvider", result["capabilities"])


if __name__ == "__main__":
    unittest.main()
