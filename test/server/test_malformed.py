"""Bytes that are no LSP: a clear error, and the session goes on."""

import unittest

from lspclient import KERNEL, Client, find

URI = "file:///malformed.ttgir"


def framed(body, length=None):
    body = body if isinstance(body, bytes) else body.encode()
    return b"Content-Length: %d\r\n\r\n" % (len(body) if length is None else length) + body


class Malformed(unittest.TestCase):
    def refused(self, data, code, says=""):
        with Client() as client:
            client.send_bytes(data)
            answer = client.wait_until(lambda: client.unasked, "error")[0]
            self.assertEqual(answer["error"]["code"], code)
            self.assertIn(says, answer["error"]["message"])
            client.open(URI, KERNEL)
            self.assertTrue(client.hover(URI, *find(KERNEL, "tt.load")))

    def test_broken_json(self):
        for body in "{", '{"jsonrpc": "2.0", "id": 1, "method": ', "\x00", b'{"id": 1, "method": "\xff\xfe"}', "":
            with self.subTest(body=body):
                self.refused(framed(body), -32700)

    def test_values_that_are_no_message(self):
        for body in "[]", "7", "null", '"hover"', '{"id": 1}', '{"id": {}, "method": "shutdown"}', '{"method": 7}', \
                '{"id": 123456789012345678901, "method": "shutdown"}', '{"id": 1.5, "method": "shutdown"}':
            with self.subTest(body=body):
                self.refused(framed(body), -32600)

    def test_deeply_nested_json(self):
        self.refused(framed("[" * 100000), -32700)
        self.refused(framed("[" * 100000 + "]" * 100000), -32700, "deep")
        self.refused(framed('{"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": '
                            + "[" * 100000 + "]" * 100000 + "}"), -32700, "deep")

    def test_lengths_that_are_none(self):
        for length in "-1", "ten", "1e3", "", "99999999999999999999999":
            with self.subTest(length=length):
                self.refused(f"Content-Length: {length}\r\n\r\n".encode(), -32700, length)

    def test_bytes_without_a_header(self):
        self.refused(b"hello\r\n\r\n", -32700, "Content-Length")
        self.refused(b'{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}\n' * 1000, -32700, "Content-Length")

    def test_a_message_that_is_too_large_is_skipped(self):
        size = (256 << 20) + 1
        self.refused(b"Content-Length: %d\r\n\r\n" % size + b" " * size, -32700, str(size))

    def test_headers_in_any_case_and_company(self):
        with Client(initialize=False) as client:
            body = b'{"jsonrpc": "2.0", "id": "odd", "method": "initialize", "params": {"capabilities": {}}}'
            client.send_bytes(b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-LENGTH:%d\r\n\r\n"
                              % len(body) + body)
            self.assertTrue(client.answer("odd"))

    def test_a_message_in_single_bytes(self):
        with Client(initialize=False) as client:
            for byte in framed('{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}'):
                client.send_bytes(bytes([byte]))
            self.assertTrue(client.answer(1))
            client.last_id = 1


if __name__ == "__main__":
    unittest.main()
