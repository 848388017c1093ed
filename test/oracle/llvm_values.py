"""Computes values of LLVM IR's text as far as they are constant, or follow from which CTA of its cluster it is.

What is not known, as an argument or what memory holds, counts as 0, shared memory begins at 0, and of a loop's values the
first iteration's are taken: so two values differ by what is added to one of them.
"""
import re

SIZES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "half": 2, "bfloat": 2, "float": 4, "double": 8, "ptr": 8}
TYPE = r"(?:<\d+ x [\w*]+>|\[[^\]]*\]|\{[^}]*\}|ptr(?: addrspace\(\d+\))?|\w+)"
FLAGS = r"(?:(?:nuw|nsw|nneg|exact|disjoint|inbounds|samesign|nusw|inrange\([^)]*\)) )*"


def split(text):
    """At the commas that no bracket or string is around."""
    parts, depth, quoted, begin = [], 0, False, 0
    for at, char in enumerate(text):
        if char == '"':
            quoted = not quoted
        elif not quoted and char in "([{<":
            depth += 1
        elif not quoted and char in ")]}>":
            depth -= 1
        elif not quoted and char == "," and depth == 0:
            parts.append(text[begin:at].strip())
            begin = at + 1
    return parts + [text[begin:].strip()] if text.strip() else []


def enclosed(text, begin):
    """What is between the bracket at `begin` and its partner."""
    depth, quoted = 0, False
    for at in range(begin, len(text)):
        if text[at] == '"':
            quoted = not quoted
        elif not quoted and text[at] in "([{<":
            depth += 1
        elif not quoted and text[at] in ")]}>":
            depth -= 1
            if depth == 0:
                return text[begin + 1:at]
    return text[begin + 1:]


def bits_of(kind):
    return int(kind[1:]) if re.fullmatch(r"i\d+", kind) else 64


class Values:
    """The values of one function; `cta` is which of its cluster computes them."""

    def __init__(self, lines, cta):
        self.cta = cta
        self.definitions = {found[1]: found[2] for line in lines if (found := re.match(r"\s+(%[\w.\"-]+) = (.*)", line))}
        self.known, self.active = {}, set()

    def of(self, typed):
        """Of an operand with its type: `i32 %3`."""
        found = re.match(rf"({TYPE})\s+(?:(?:noundef|nonnull|align \d+|readonly|range\([^)]*\))\s+)*(.*)", typed, re.S)
        return self.value(found[2], found[1]) if found else 0

    def value(self, name, kind):
        if re.fullmatch(r"-?\d+", name):
            return int(name) & (1 << bits_of(kind)) - 1
        if name[0] == "%":
            return self.named(name) & (1 << bits_of(kind)) - 1 if kind[0] in "ip" else self.named(name)
        if name[0] == "<":
            return tuple(self.of(part) for part in split(enclosed(name, 0)))
        if name == "true":
            return 1
        if name.startswith("splat"):
            return (self.of(enclosed(name, name.index("("))),) * int(re.match(r"<(\d+)", kind)[1])
        if re.match(r"\w+ .*\(", name):
            return self.instruction(re.sub(r"\(", " ", name, count=1).rsplit(")", 1)[0])
        return 0

    def named(self, name):
        if name not in self.known:
            if name in self.active or name not in self.definitions:
                return 0
            self.active.add(name)
            value = self.instruction(self.definitions[name])
            self.active.discard(name)
            self.known[name] = value
        return self.known[name]

    def instruction(self, text):
        text = re.sub(r", ![\w.]+ !?[\w\d(){}, ]+$", "", re.sub(r"^(?:tail |musttail |notail )", "", text))
        name, _, rest = text.partition(" ")
        rest = re.sub("^" + FLAGS, "", rest.strip())
        if name in ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "urem", "sdiv", "srem"):
            return self.binary(name, rest)
        if name in ("zext", "trunc", "ptrtoint", "inttoptr", "freeze", "addrspacecast", "bitcast", "sext"):
            return self.cast(name, rest)
        if name == "getelementptr":
            return self.address(rest)
        if name == "select":
            condition, yes, no = split(rest)
            return self.of(yes) if self.of(condition) else self.of(no)
        if name == "icmp":
            return self.comparison(rest)
        if name == "phi":
            return self.first(rest)
        if name == "insertelement":
            vector, element, index = split(rest)
            old = self.of(vector)
            new = list(old if isinstance(old, tuple) else (0,) * int(re.match(r"<(\d+)", vector)[1]))
            new[self.of(index)] = self.of(element)
            return tuple(new)
        if name == "extractelement":
            vector, index = split(rest)
            value = self.of(vector)
            return value[self.of(index)] if isinstance(value, tuple) else 0
        if name == "call":
            return self.call(rest)
        return 0

    def binary(self, name, rest):
        left, right = split(rest)
        kind = re.match(TYPE, left)[0]
        a, b = self.of(left), self.value(right, kind)
        if not isinstance(a, int) or not isinstance(b, int):
            return 0
        width = bits_of(kind)
        signed = lambda x: x - (1 << width) if x >> width - 1 else x
        compute = {"add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "and": lambda: a & b, "or": lambda: a | b,
                   "xor": lambda: a ^ b, "shl": lambda: a << b, "lshr": lambda: a >> b, "ashr": lambda: signed(a) >> b,
                   "udiv": lambda: a // b if b else 0, "urem": lambda: a % b if b else 0,
                   "sdiv": lambda: int(signed(a) / signed(b)) if b else 0, "srem": lambda: a % b if b else 0}
        return compute[name]() & (1 << width) - 1

    def cast(self, name, rest):
        source, target = (re.match(r"(.*) to (.*)", rest, re.S).groups() if " to " in rest else (rest, None))
        value = self.of(source)
        if target is None or not isinstance(value, int):
            return self.vector_bits(value, target) if target and re.fullmatch(r"i\d+", target) else value
        if name == "sext" and value >> bits_of(source.split()[0]) - 1:
            value -= 1 << bits_of(source.split()[0])
        return value & (1 << bits_of(target)) - 1 if re.fullmatch(r"i\d+", target) else value

    @staticmethod
    def vector_bits(value, target):
        width = bits_of(target) // len(value)
        return sum(part << width * at for at, part in enumerate(value))

    def address(self, rest):
        element, base, *indices = split(rest)
        value = self.of(base)
        if len(indices) != 1 or element not in SIZES:
            return value
        offset, width = self.of(indices[0]), bits_of(indices[0].split()[0])
        return value + SIZES[element] * (offset - (1 << width) if offset >> width - 1 else offset)

    def comparison(self, rest):
        relation, rest = rest.split(" ", 1)
        left, right = split(rest)
        kind = re.match(TYPE, left)[0]
        a, b = self.of(left), self.value(right, kind)
        if not isinstance(a, int) or not isinstance(b, int):
            return 0
        if relation[0] == "s":
            a, b = (x - (1 << bits_of(kind)) if x >> bits_of(kind) - 1 else x for x in (a, b))
        return int({"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[relation.lstrip("su") if
                                                                                            relation not in ("eq", "ne") else relation])

    def first(self, rest):
        """Of a phi: what comes from before the loop, which is written first, unless that is not known."""
        kind = re.match(TYPE, rest)[0]
        for incoming in re.findall(r"\[ (.*?), %", rest):
            if incoming[0] != "%" or incoming in self.definitions:
                return self.value(incoming, kind)
        return 0

    def call(self, rest):
        if "cluster.ctarank" in rest or "%cluster_ctarank" in rest or "cluster_ctaid.x" in rest:
            return self.cta
        if found := re.search(r"@llvm\.nvvm\.shfl\.sync\.\w+\.i32\(", rest):
            return self.of(split(enclosed(rest, found.end() - 1))[1])
        return 0
