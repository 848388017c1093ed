"""What is typed for an op: its name, then words and stops, made from its syntax in ODS.

A stop is `label=default` in backquotes, an optional part stands in ⟦ ⟧:

    tt.load `%ptr=%ptr`⟦, `%mask=%mask`⟧ : `type(ptr)=!tt.ptr<f32>`

Completion types the defaults and leaves out what is optional; signature help shows the labels.
"""
import re

# Types whose parameters ODS cannot fill in, by their C++ class.
TYPES = {
    "tt::PointerType": "!tt.ptr<f32>",
    "tt::TensorDescType": "!tt.tensordesc<64x64xf16>",
    "tt::TensorDescInterface": "!tt.tensordesc<64x64xf16>",
    "ttg::MemDescType": "!ttg.memdesc<64x64xf16, #shared, #smem, mutable>",
    "ttg::AsyncTokenType": "!ttg.async.token",
    "nvws::ArefType": "!nvws.aref<[!ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>]>",
    "mlir::RankedTensorType": "tensor<128xf32>",
    "gpu::AsyncTokenType": "!gpu.async.token",
    "LLVM::LLVMStructType": "!llvm.struct<(f32, f32)>",
    "LLVM::LLVMPointerType": "!llvm.ptr",
    "FunctionType": "(i32) -> i32",
    "proton_gpu::SegmentType": "!proton_gpu.segment<2048, #smem, warp>",
}
LAYOUT = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"

# Attributes whose parameters ODS cannot fill in, by their mnemonic.
SHAPES = {
    "shape": "#nvvm.shape<m = 64, n = 8, k = 16>",
    "ld_st_matrix_shape": "#nvvm.ld_st_matrix_shape<m = 8, n = 8>",
}

# What the parsers of these directives read.
CUSTOM = {
    "AllReduceOperation": "add",
    "AsyncDependencies": "",
    "LaunchDimType": "",
    "LaunchFuncOperands": "",
    "OffloadingHandler": "",
    "SwitchOpCases": "\n  default: `^default=^bb1`\n",
    "SwitchCases": "\ncase `case=0` {\n  scf.yield\n}",
    "Offsets": "`offsets=0, 0`",
    "Token": "",
    "BarriersAndPreds": "",
    "PredAndBarrier": "",
}

# Ops with a parser of their own.
OPS = {
    "arith.select": "`%condition=%condition`, `%true_value=%true_value`, `%false_value=%false_value` : `type(result)=i32`",
    "func.func": "`@name=@name`(`arguments=%x: i32`) {\n  func.return\n}",
    "tt.func": "`@name=@name`(`arguments=%x: i32`) {\n  tt.return\n}",
    "gpu.func": "`@name=@name`(`arguments=%x: i32`) {\n  gpu.return\n}",
    "gpu.launch": "blocks(%bx, %by, %bz) in (%gx = `%gridX=%gridX`, %gy = `%gridY=%gridY`, %gz = `%gridZ=%gridZ`)\n"
                  "    threads(%tx, %ty, %tz) in (%sx = `%blockX=%blockX`, %sy = `%blockY=%blockY`, %sz = `%blockZ=%blockZ`) {\n"
                  "  gpu.terminator\n}",
    "gpu.warp_execute_on_lane_0": "(`%laneid=%laneid`)[`warp_size=32`] {\n}",
    "scf.execute_region": "{\n  scf.yield\n}",
    "scf.for": "`%i=%i` = `%lowerBound=%lower` to `%upperBound=%upper` step `%step=%step`"
               "⟦ iter_args(`%acc=%acc` = `%initArgs=%init`) -> (`type(acc)=f32`)⟧ : `type(i)=i32` {\n}",
    "scf.forall": "(`%i=%i`) in (`%upper=%upper`) {\n}",
    "scf.forall.in_parallel": "{\n}",
    "scf.parallel": "(`%i=%i`) = (`%lower=%lower`) to (`%upper=%upper`) step (`%step=%step`) {\n}",
    "scf.if": "`%condition=%condition`⟦ -> (`type(results)=f32`)⟧ {\n}⟦ else {\n}⟧",
    "scf.while": "(`%x=%x` = `%init=%init`) : (`type(init)=i32`) -> `type(result)=i32` {\n"
                 "  scf.condition(`%condition=%condition`) %x : i32\n} do {\n^bb0(%y: i32):\n  scf.yield %y : i32\n}",
    "ttg.barrier": "`address spaces=local`",
    "ttg.warp_specialize": "(`captures=`)\ndefault {\n  ttg.warp_yield\n}\npartition0() num_warps(`warps=4`) {\n"
                           "  ttg.warp_return\n} : `type(captures and results)=() -> ()`",
    "nvws.warp_group": "\npartition0 num_warps(`warps=4`) {\n  nvws.warp_group.return\n}",
    "ttng.tmem_subslice": "`%src=%src` {N = `N=0 : i32`} : `type(src)=!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>`"
                          " -> `type(result)=!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>`",
    "nvvm.mma.sync": "A[`%a0=%a0`] B[`%b0=%b0`] C[`%c0=%c0`, `%c1=%c1`]"
                     " {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>}"
                     " : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>",
}
SPARSE = " sparseMetadata[`%metadata=%metadata`] selector[`%selector=%selector`]"
SCALES = " scaleA[`%scaleA=%scaleA`, `%byteIdA=%byteIdA`, `%threadIdA=%threadIdA`]" \
         " scaleB[`%scaleB=%scaleB`, `%byteIdB=%byteIdB`, `%threadIdB=%threadIdB`]"
SCALED = ", multiplicandAPtxType = #nvvm.mma_type<e2m1>, multiplicandBPtxType = #nvvm.mma_type<e2m1>," \
         " scaleVecSize = #nvvm.scale_vec_size<x2>, blockScaleFormat = #nvvm.block_scale_format<ue8m0>," \
         " kind = #nvvm.block_scale_kind<mxf4nvf4>"
FRAGMENTS = "A[`%a0=%a0`] B[`%b0=%b0`] C[`%c0=%c0`]"
for op, operands, attributes, kinds in (
        ("sp.sync", SPARSE, "", "(vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>"),
        ("block_scale", SCALES, SCALED, "(i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>"),
        ("sp.block_scale", SPARSE + SCALES, SCALED, "(i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>")):
    OPS[f"nvvm.mma.{op}"] = (f"{FRAGMENTS}{operands} {{shape = #nvvm.shape<m = 16, n = 8, k = 64>{attributes}}}"
                             f" : `types={kinds}`")
for op in "fadd", "fmax", "smax", "umin":
    kind = "f32" if op.startswith("f") else "i32"
    OPS[f"rocdl.raw.buffer.atomic.{op}"] = (
        f"`%vdata=%vdata`, `%rsrc=%rsrc`, `%offset=%offset`, `%soffset=%soffset`, `%aux=%aux` : `type(vdata)={kind}`")
for op in "permlane16.swap", "permlane32.swap":
    OPS[f"rocdl.{op}"] = ("`%old=%old`, `%src=%src`, `fi=false`, `boundControl=false`"
                          " : (`type(old)=i32`, `type(src)=i32`) -> `type(res)=<(i32, i32)>`")
OPS["func.call_indirect"] = "`%callee=%callee`(`%operands=%operands`) : (`type(operands)=i32`) -> `type(results)=i32`"
OPS["rocdl.raw.buffer.load"] = "`%rsrc=%rsrc`, `%offset=%offset`, `%soffset=%soffset`, `%aux=%aux` : `type(res)=f32`"
OPS["rocdl.raw.buffer.store"] = ("`%vdata=%vdata`, `%rsrc=%rsrc`, `%offset=%offset`, `%soffset=%soffset`, `%aux=%aux`"
                                 " : `type(vdata)=f32`")

# The dialect that all ends in, where a parser of its own or an attribute with parameters is.
SCOPE = '#llvm.di_file<"name.py" in "folder">'
OPS.update({
    "llvm.alloca": "`%arraySize=%arraySize` x `elem_type=f32` : (`type(arraySize)=i32`) -> `type(res)=!llvm.ptr`",
    "llvm.blockaddress": "`block_addr=<function = @name, tag = <id = 0>>` : `type(res)=!llvm.ptr`",
    "llvm.blocktag": "`tag=<id = 0>`",
    "llvm.call": "`callee=@name`(`%args=%args`) : (`type(args)=i32`) -> `type(result)=i32`",
    "llvm.call_intrinsic": '`intrin="llvm.name"`(`%args=%args`) : (`type(args)=i32`) -> `type(results)=i32`',
    "llvm.extractvalue": "`%container=%container`[`position=0`] : `type(container)=!llvm.struct<(i32, i32)>`",
    "llvm.fcmp": '`predicate="oeq"` `%lhs=%lhs`, `%rhs=%rhs` : `type(lhs)=f32`',
    "llvm.func": "`name=@name`(`arguments=%x: i32`) {\n  llvm.return\n}",
    "llvm.getelementptr": "`%base=%base`[`indices=0`] : (`type(base)=!llvm.ptr`) -> `type(res)=!llvm.ptr`, `elem_type=f32`",
    "llvm.icmp": '`predicate="eq"` `%lhs=%lhs`, `%rhs=%rhs` : `type(lhs)=i32`',
    "llvm.indirectbr": "`%addr=%addr` : `type(addr)=!llvm.ptr`, [\n  `^dest=^bb1`\n]",
    "llvm.insertvalue": "`%value=%value`, `%container=%container`[`position=0`] : `type(container)=!llvm.struct<(i32, i32)>`",
    "llvm.invoke": "`callee=@name`() to `^normal=^bb1` unwind `^unwind=^bb1` : () -> ()",
    "llvm.landingpad": "cleanup : `type(res)=!llvm.struct<(ptr, i32)>`",
    "llvm.mlir.alias": "`linkage=external` `name=@name` : `type=i32` {\n}",
    "llvm.mlir.constant": "(`value=0 : i32`) : `type(res)=i32`",
    "llvm.mlir.global": "`linkage=internal` `name=@name`(`value=0 : i32`) : `type=i32`",
    "llvm.switch": "`%value=%value` : `type(value)=i32`, `^default=^bb1` [\n  `case=0`: `^dest=^bb1`\n]",
    "llvm.intr.dbg.declare": f"`varInfo=#llvm.di_local_variable<scope = {SCOPE}>` = `%addr=%addr` : `type(addr)=!llvm.ptr`",
    "llvm.intr.dbg.value": f"`varInfo=#llvm.di_local_variable<scope = {SCOPE}>` = `%value=%value` : `type(value)=i32`",
    "llvm.intr.dbg.label": f"`label=<scope = {SCOPE}, name = \"name\">`",
    "llvm.intr.experimental.noalias.scope.decl": "`scope=<id = distinct[0]<>, domain = <id = distinct[1]<>>>`",
})

# Without a syntax of their own: the generic form.
GENERIC = {
    "tt.reduce": '(`%srcs=%srcs`) <{axis = `axis=0` : i32}> ({\n^bb0(%a: f32, %b: f32):\n  %c = arith.addf %a, %b : f32\n'
                 '  tt.reduce.return %c : f32\n}) : (`type(srcs)=tensor<128xf32>`) -> `type(result)=f32`',
    "tt.scan": '(`%srcs=%srcs`) <{axis = `axis=0` : i32, reverse = `reverse=false`}> ({\n^bb0(%a: f32, %b: f32):\n'
               '  %c = arith.addf %a, %b : f32\n  tt.scan.return %c : f32\n})'
               ' : (`type(srcs)=tensor<128xf32>`) -> `type(result)=tensor<128xf32>`',
    "tt.map_elementwise": '(`%srcs=%srcs`) <{pack = `pack=1` : i32}> ({\n^bb0(%a: f32):\n'
                          '  tt.map_elementwise.return %a : f32\n})'
                          ' : (`type(srcs)=tensor<128xf32>`) -> `type(result)=tensor<128xf32>`',
    "ttg.mask": '(`%pred=%pred`) ({\n  ttg.mask.return `%value=%value` : `type(value)=f32`\n}) : (i1) -> `type(result)=f32`',
    "ttg.warp_specialize.partitions": '(`captures=`) ({\n  ttg.warp_return\n}) : () -> ()',
}


def inside(definition, records):
    """The constraint in Arg<...>, Res<...> and the like."""
    while "def" in (definition.get("constraint") or {}):
        definition = records[definition["constraint"]["def"]]
    return definition


def element(summary):
    """The element type that a summary speaks of."""
    for pattern, name in ((r"float.* or ", "f32"), (r"pointer", "!tt.ptr<f32>"), (r"32-bit signless", "i32"),
                          (r"1-bit signless|bool", "i1"), (r"bfloat16", "bf16"),
                          (r"16-bit float", "f16"), (r"32-bit float", "f32"), (r"64-bit float", "f64"), (r"float", "f32"),
                          (r"(\d+)-bit (?:signless )?integer", None), (r"integer", "i32"), (r"index", "index")):
        if found := re.search(pattern, summary):
            return name or f"i{found[1]}"
    return "f32"


def example(definition, records):
    """A type that keeps the constraint."""
    definition = inside(definition, records)
    if "baseType" in definition and "def" in (definition["baseType"] or {}):
        return example(records[definition["baseType"]["def"]], records)
    summary, cpp = definition.get("summary") or "", definition.get("cppType") or ""
    built = definition.get("builderCall") or ""
    if found := re.search(r"VectorType::get\(\{(\d+)\}\s*,\s*\$_builder.get(B?F\d+|I\d+|IntegerType\(\d+)", built):
        return f"vector<{found[1]}x{found[2].lower().replace('integertype(', 'i')}>"
    for pattern, name in ((r"getIntegerType\((\d+)", "i{}"), (r"getI(\d+)Type", "i{}"), (r"get(B?F\d+)Type", "{}"),
                          (r"getIndexType", "index"), (r"LLVMPointerType>?(?:::get)?\((?:\$_builder.getContext\(\), )?(\d+)\)",
                                                       "!llvm.ptr<{}>"), (r"AsyncTokenType", "!ttg.async.token")):
        if found := re.search(pattern, built):
            return name.format(*(group.lower() for group in found.groups()))
    if summary == "pointer to a tensor":
        return "!tt.ptr<tensor<128xf32>>"
    if summary.startswith("MMAMatrix") or cpp.endswith("MMAMatrixType"):
        return '!gpu.mma_matrix<16x16xf16, "AOp">'
    if summary.startswith("tensor of the right"):
        return "tensor<2x!nvws.token>"
    if summary.startswith("LLVM structure"):
        return TYPES["LLVM::LLVMStructType"]
    if "MemRefType" in cpp and "Unranked" not in cpp:
        return "memref<16xf32>"
    if found := re.search(r"vector of (.*) values of (?:length|ranks?) (\d+)", summary):
        return f"vector<{found[2]}x{element(found[1])}>"
    if allowed := definition.get("allowedTypes"):
        examples = [example(records[kind["def"]], records) for kind in allowed]
        return next((kind for kind in ("f32", "i32") if kind in examples), examples[0])
    if "ector" in cpp or summary.startswith("vector"):
        return f"vector<4x{'!llvm.ptr' if 'pointer' in summary else element(summary)}>"
    if "LLVM" in cpp and "pointer" in summary.lower():
        space = re.search(r"address space (\d+)", summary)
        return f"!llvm.ptr<{space[1]}>" if space else "!llvm.ptr"
    if cpp == "::mlir::RankedTensorType" or summary.startswith("ranked tensor"):
        return f"tensor<128x{element(summary)}>"
    for name, text in TYPES.items():
        if cpp.endswith(name):
            return text
    if "UnrankedMemRef" in cpp or summary.startswith("unranked"):
        return "memref<*xf32>"
    if "MemRef" in cpp or summary.startswith("memref"):
        return "memref<16xf32>"
    if cpp == "::mlir::IndexType":
        return "index"
    if "loat" in summary or "nteger" in summary or "index" in summary or "bool" in summary:
        return element(summary)
    return "i32"


def attribute(definition, records, choices, in_dictionary):
    """A value of the attribute, as the op's own syntax or a dictionary has it."""
    definition = inside(definition, records)
    outer = definition
    while "def" in (definition.get("baseAttr") or {}):
        definition = records[definition["baseAttr"]["def"]]
    values = choices(definition, records)
    name, storage = definition.get("!name", ""), definition.get("storageType") or ""
    if values:
        if in_dictionary:
            return values[0][1]
        wrapped = "EnumAttr" in definition["!superclasses"]
        assembly = (definition.get("assemblyFormat") or "") if wrapped else ""
        return f"<{values[0][0]}>" if "`<`" in assembly or "struct" in assembly else values[0][0]
    mnemonic = definition.get("mnemonic") or ""
    if mnemonic in SHAPES:
        return SHAPES[mnemonic] if in_dictionary else SHAPES[mnemonic][SHAPES[mnemonic].index("<"):]
    value_type = definition.get("valueType") or {}
    if "def" in value_type and ("Integer" in storage or "Float" in storage):
        kind = example(records[value_type["def"]], records)
        number = "0.0" if kind.startswith(("f", "bf")) else "0"
        return f"{number} : {kind}" if in_dictionary else number
    if "SymbolRef" in storage or (name == "SymbolNameAttr" and not in_dictionary):
        return "@name"
    if "StringAttr" in storage:
        return '"text"'
    if found := re.search(r"Dense(I\d+|Bool|F\d+)ArrayAttr", storage):
        return f"array<{found[1].lower()}: 0>" if in_dictionary else "[0]"
    if "ArrayAttr" in storage:
        return "[]"
    if "DenseIntElementsAttr" in storage:
        return "dense<0> : vector<1xi32>"
    if "TypeAttr" in storage:
        return "f32"
    if "UnitAttr" in storage:
        return "unit"
    if "Typed" in storage or "ElementsAttr" in storage:
        return "0 : i32"
    if "IntegerAttr" in storage:
        return "0 : i32" if in_dictionary else "0"
    return LAYOUT if "Layout" in name or "Encoding" in storage or storage == "::mlir::Attribute" else "0 : i32"


class Format:
    """Reads an assembly format and writes what is typed for it."""

    def __init__(self, record, records, choices):
        self.records, self.choices = records, choices
        self.words = re.findall(r"`[^`]*`|\$\w+|[\w-]+(?:<\w+>)?|[()?^:|,\[\]]", record["assemblyFormat"])
        self.at = 0
        self.depth = 0  # Of optional groups.
        self.shown = []  # Operands so far.
        self.operands, self.attributes, self.results, self.optional, self.single = {}, {}, {}, set(), set()
        for arg, name in record["arguments"]["args"]:
            definition = inside(records[arg["def"]], records)
            supers = definition["!superclasses"]
            if "Attr" in supers or "AttrConstraint" in supers or "Property" in supers:
                self.attributes[name] = definition
                if self.may_be_missing(definition):
                    self.optional.add(name)
            else:
                self.operands[name] = definition
                if "Optional" in supers or "Variadic" in supers:
                    self.optional.add(name)
                if "Optional" in supers:
                    self.single.add(name)
        for arg, name in record["results"]["args"]:
            self.results[name or "result"] = inside(records[arg["def"]], records)
            if "Optional" in self.results[name or "result"]["!superclasses"]:
                self.single.add(name or "result")
        self.regions = {name: records[arg["def"]] for arg, name in record["regions"]["args"]}
        self.successors = {name for _, name in record["successors"]["args"]}
        # Whatever the syntax does not name goes to the dictionary, if it must be there.
        named = set(re.findall(r"\$(\w+)", record["assemblyFormat"]))
        self.dictionary = [name for name, definition in self.attributes.items()
                           if name not in named and name not in self.optional and "Attr" in definition["!superclasses"]]

    def may_be_missing(self, definition):
        while definition:
            if definition.get("isOptional") or definition.get("defaultValue") or "UnitAttr" in definition.get("storageType", ""):
                return True
            base = definition.get("baseAttr") or {}
            definition = self.records[base["def"]] if "def" in base else None
        return False

    def type_of(self, name):
        left_out = name in self.single or (name in self.optional and name not in self.shown)
        if left_out and not self.depth:
            return ""
        definition = self.operands.get(name) or self.results.get(name)
        return f"`type({name})={example(definition, self.records)}`" if definition else "`type=i32`"

    def required(self, names):
        return [name for name in names if name not in self.optional]

    def next(self):
        self.at += 1
        return self.words[self.at - 1]

    def peek(self):
        return self.words[self.at] if self.at < len(self.words) else ""

    def arguments(self):
        """The words up to the `)` of a directive whose `(` is next."""
        words, depth = [], 0
        while True:
            word = self.next()
            depth += (word == "(") - (word == ")")
            words.append(word)
            if not depth:
                return words[1:-1]

    def types(self, word):
        if word.startswith("$"):
            return self.type_of(word[1:])
        names = self.required(self.results)
        if word == "operands":
            names = [name for name in self.operands if name in self.shown] or self.required(self.operands)
        return ", ".join(text for name in names if (text := self.type_of(name)))

    def dictionary_text(self, keyword=""):
        if not self.dictionary:
            return ""
        pairs = [f"{name} = `{name}={attribute(self.attributes[name], self.records, self.choices, True)}`"
                 for name in self.dictionary]
        return keyword + "{" + ", ".join(pairs) + "}"

    def run(self, end=("",)):
        """The pieces up to one of `end`, which is left."""
        pieces = []
        while self.peek() not in end:
            pieces.append(self.piece(self.next()))
        return join(pieces)

    def piece(self, word):
        if word == "(":
            self.depth += 1
            first = self.run((")",))
            self.depth -= 1
            self.next()
            other = None
            if self.peek() == ":":
                self.next(), self.next()
                other = self.run((")",))
                self.next()
            if self.peek() == "?":
                self.next()
            if other is not None:
                return first or other
            return "⟦" + first + "⟧" if first else ""
        if word == "^":
            return ""
        if word.startswith("`"):
            literal = word[1:-1]
            return {"": "\0", "\\n": ""}.get(literal.strip(" ") if literal.strip() else "", literal)
        if word.startswith("$"):
            return self.variable(word[1:])
        if word in ("type", "qualified", "ref"):
            arguments = [w for w in self.arguments() if w not in "()"]
            if word == "ref":
                return ""
            if word == "qualified" and arguments[0] != "type":
                return self.piece(arguments[0])
            return self.types(arguments[-1])
        if word == "functional-type":
            arguments = [w for w in self.arguments() if w != ","]
            inputs, outputs = (self.types(argument) for argument in arguments)
            single = outputs and "`, `" not in outputs
            return f"({inputs}) -> " + (outputs if single else f"({outputs})")
        if word == "oilist":
            self.arguments()
            return ""
        if word.startswith("custom<"):
            arguments = [w for w in self.arguments() if w.startswith("$")]
            kind = word[len("custom<"):-1]
            if kind == "PointerAndValue":
                return self.types(arguments[-1])
            return CUSTOM.get(kind, "")
        if word == "operands":
            return ", ".join(self.variable(name) for name in self.required(self.operands))
        if word in ("attr-dict", "prop-dict"):
            text, self.dictionary = self.dictionary_text(), []
            return f"<{text}>" if text and word == "prop-dict" else text
        if word == "attr-dict-with-keyword":
            return self.dictionary_text("attributes ")
        if word == "regions":
            return " ".join("{\n}" for _ in self.regions)
        return ""

    def variable(self, name):
        if name in self.single and not self.depth:
            return ""
        if name in self.operands:
            if not self.depth:
                self.shown.append(name)
            return f"`%{name}=%{name}`"
        if name in self.attributes and "UnitAttr" in (self.attributes[name].get("storageType") or ""):
            return ""
        if name in self.attributes:
            value = attribute(self.attributes[name], self.records, self.choices, False)
            if value.startswith("<") and value.endswith(">") and "=" not in value:
                return f"<`{name}={value[1:-1]}`>"
            return f"`{name}={value}`"
        if name in self.regions:
            return "{\n}"
        return "`^dest=^bb1`" if name in self.successors else ""


def join(pieces):
    """With the spaces that MLIR would print."""
    text = ""
    for piece in pieces:
        if not piece:
            continue
        if piece == "\0":
            text += "\0"
            continue
        inner = piece.lstrip("⟦")
        tight = (not text or text[-1] in "\0([<" or inner[0] in ",)]>" or piece.startswith(("⟦,",)) or
                 (inner[0] in "([<" and text.endswith("\0")) or text.endswith("⟦"))
        if piece.startswith("⟦") and not inner[0] == ",":
            piece, tight = "⟦ " + inner, True
        text += ("" if tight else " ") + piece
    return text.replace("\0", "")


def results(record, records):
    """The names of the results, if there are as many in each op."""
    names = []
    for arg, name in record["results"]["args"]:
        if {"Optional", "Variadic"} & set(inside(records[arg["def"]], records)["!superclasses"]):
            return []
        names.append(name or "result")
    return names


def generic(name, record, records, choices):
    """The form in quotes, with what must be there."""
    format = Format({**record, "assemblyFormat": ""}, records, choices)
    operands = format.required(format.operands)
    format.shown = operands
    attributes = [f"{one} = `{one}={attribute(format.attributes[one], records, choices, True)}`" for one in format.dictionary]
    traits = [trait["def"] for trait in record["traits"]]
    for trait, key, names in (("AttrSizedOperandSegments", "operandSegmentSizes", format.operands),
                              ("AttrSizedResultSegments", "resultSegmentSizes", format.results)):
        if trait in traits:
            counts = ", ".join("0" if one in format.optional else "1" for one in names)
            attributes.append(f"{key} = array<i32: {counts}>")
    results = [text for one in format.required(format.results) if (text := format.type_of(one))]
    return (f'"{name}"(' + ", ".join(f"`%{one}=%{one}`" for one in operands) + ")"
            + (" <{" + ", ".join(attributes) + "}>" if attributes else "")
            + (" (" + ", ".join("{\n}" for _ in format.regions) + ")" if format.regions else "")
            + " : (" + ", ".join(format.type_of(one) for one in operands) + ") -> "
            + (results[0] if len(results) == 1 else "(" + ", ".join(results) + ")"))


def syntax(name, record, records, choices):
    """The names of the results, a tab, and what is typed; the generic form of an op that has no other."""
    return ",".join(results(record, records)) + "\t" + words(name, record, records, choices)


def words(name, record, records, choices):
    if name in OPS:
        return f"{name} {OPS[name]}".replace(f"{name} \n", f"{name}\n").replace(f"{name} (", f"{name}(" if name.startswith("ttg.") else f"{name} (")
    if name in GENERIC:
        return f'"{name}"{GENERIC[name]}'
    if not record.get("assemblyFormat"):
        return generic(name, record, records, choices) if name.startswith("llvm.") else name
    text = Format(record, records, choices).run()
    return f"{name} {text}".rstrip()
