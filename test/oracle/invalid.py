#!/usr/bin/env python3
"""Compares our diagnostics with the tests of a Triton checkout, or of a fork of it.

Usage: invalid.py KERNELSCOPE [--checkout FOLDER] [--verbose]. The tests of Triton mark the lines
on which its verifiers complain (`expected-error`). Where a test only parses and verifies, we must
report an error on each of these lines; on no other line of any test may we report one, nor a lint a
warning, except in the tests that MISTAKES lists. Exits 1 where one of these fails, and 77, to be
skipped, without a checkout. Nothing is copied from it.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

# What only forks have, or kept when Triton dropped it: the parts of a test that mention one are left
# out, and counted.
FORK_ONLY = re.compile("|".join([
    # Dialects, operations, attributes.
    r"\b(?:ttig|triton_gen|tlx|ctaMode|ctaMask|reduce_kind|rbits|descPtr"
    r"|amdg\.(?:assume_uniform|local_load_packed_tranposed|mfma_commit|register_handoff|register_resident"
    r"|scheduled_mfma)"
    r"|ttg\.(?:async_remote_shmem_copy|async_remote_shmem_store|clock64|memdesc_dynamic_subslice"
    r"|remote_shmem_store)"
    r"|ttng\.(?:arrive_barrier_named|async_clc_try_cancel|async_store|async_tma_prefetch|async_tma_store_token_wait"
    r"|clc_advance|clc_query_cancel|clc_read|clc_try_cancel_async|cluster_arrive|cluster_wait|map_to_remote_buffer"
    r"|prefetch_tensormap|shared_cluster_memory|subtiled_region|two_cta_peer_gather|vote_ballot_sync"
    r"|wait_barrier_named)"
    r"|tti\.experimental_gsan_tensordesc_info)\b",
    # An operation of this name; the attribute of a loop is Triton's.
    r"(?<![{, ])tt\.warp_specialize\b(?= *[(%\"])",
    # A mask of CTAs after the predicate of a copy; rounding before the attributes.
    r"ttng\.async_tma_copy_global_to_local %\w+\[[^]]*\] %\w+, %\w+, %\w+, %\w+",
    r"ttng\.async_tma_(?:copy_local_to_global|reduce \w+,) %\w+\[[^]]*\] %\w+ evictionPolicy",
    r"rounding = \w+ \{",
    # One barrier of a list without a dimension of its own; a window that does not say of what; elements of
    # 4 bits; two CTAs whose results are split otherwise than their operands.
    r"memdesc_index %\S+ : !ttg\.memdesc<\d+xi64",
    r"@(?:subview|tma_special_cases)\(\S*\) \{|@tma_special_cases\b",
    r"memdesc<\d+x\d+xi4,",
    r"@no_cluster_mma_without_two_ctas\b",
    # Shapes that are no power of two.
    r"memdesc<96x",
    # Rules that Triton has dropped since; parts of its tests that its own parser rejects, or that say to be
    # wrong where the test is for another thing.
    r"@(?:tdm_load_two_padding_intervals|fused_tdm_multi_padding_pairs|tmem_subslice_offset_alignment_invalid|wmma_dot_scaled_mxfp4_mxfp4_missing_scale)\b",
]))
# Tests of other dialects, of plugins, and of a fork's own clusters.
NOT_OURS = {"TritonIntelGPU", "TritonGEN", "Plugins", "Intel", "TLX", "TwoCTA"}
# Parts that need something else than the IR: a later MLIR than 22, or tensors that are no power of
# two, which a fork takes when a variable of the environment says so.
NEWER_MLIR = re.compile(r"rocdl\.sched\.barrier (?:none|[a-z])|rocdl\.raw\.ptr\.buffer\.load .*, 0 :")
NOT_PLAIN = {"TRITON_ALLOW_NPOT=1": "files whose tensors are no power of two", "split-file ": "files that hold several",
             "XFAIL: *": "files whose test is expected to fail"}

# Tests whose IR breaks a rule, on purpose or because they are for something else: functions in which our errors and warnings
# are right, and why.
MISTAKES = {
    "no wait between a copy and what reads its data": [
        "amd_fused_tdm_variadic_destination_alias", "async_tma_gather", "async_tma_scatter", "local_store_barriers_cp_async_wgmma",
        "async_tma_copy_global_to_local_two_bufs_two_barriers"],
    "a copy's bytes that nothing announces, so that the wait never ends": [
        "convert_layout_trivial_then_tma_multicast_cluster_barrier", "cluster_tma_multicast_with_per_cta_barrier",
        "no_cluster_tma_without_multicast", "no_cluster_when_same_allocation", "cluster_barrier_between_lifetimes_same_offset"],
    "two arrivals of one op at a barrier that takes one": [
        "arrive_barrier", "cluster_arrive_barrier_multicast_init_sync", "cluster_tc_gen5_commit_multicast_with_per_cta_barrier",
        "cluster_tc_gen5_mma_multicast_with_per_cta_barrier"],
    "the bytes of one copy announced for two": ["hoist_two_transactions_one_wait"],
    "the same phase for two waits; hoisting gives each its own": [
        "hoist_loop_two_sequential_waits_lifecycle", "hoist_nested_wait_with_outer_lifecycle"],
    "a wait for phase 1, for which hoisting must do nothing": ["skip_nonzero_phase_lifecycle"],
    "a barrier invalidated before its copy is done": ["async_tma_copy_global_to_local"],
    "a swizzle by single elements, which no layout of the lanes makes wide enough": [
        "async_copy_2d_swizzled", "async_copy_2d_swizzled_unsupported_vec"],
    "tensor memory on sm_90": ["tcgen5_commit_barrier_regions", "tcgen5_commit"],
    "more memory than the chip has": [
        "memdesc_subslice_spliting", "nested_loop_gen5_mma", "partitioned_swizzled_permuted_bases",
        "pingpong_large_persistent_epilogue_load", "pingpong_medium_else_reject", "pingpong_medium_if_else_reject",
        "pingpong_medium_persistent_epilogue_load", "pingpong_reject_small_three_load", "pingpong_small_persistent_epilogue_load"],
    "an instruction that the module's chip does not have": [
        "alias_matrix_mixed", "alias_matrix_tensor", "clc_try_cancel_diagonal_effect_recipients",
        "end_cluster_barrier_for_mma_with_tmem_teardown", "initialize_multibuffer_allocs", "initialize_uninitialized_allocs",
        "loop_expect_padded_layouts", "loop_padding_block_size_small", "loop_padding_block_size_too_small",
        "loop_padding_invalid_instr_shape", "loop_padding_too_small_vector", "matmul_like_fence_mma_v5", "mma_reorder_transpose_mmav5",
        "mma_v5_two_ctas_wait_barrier_no_cluster", "no_shmem_pipelining_incompat_layout", "no_shmem_pipelining_other_used",
        "select_tensor_memory_regions", "shmem_pipelining_mmav3", "shmem_pipelining_mmav3_two_users", "skip_source_backed_allocs",
        "tcgen5_mma", "tcgen5_mma_lhs_in_tmem", "tensor_memory_indexed", "tensor_memory_regions",
        "tensor_memory_reinterpret_smaller_region", "test_dce_tmem_alloc", "tma_pipelining_mmav3", "tmem_alloc", "tmem_alloc_with_src",
        "tmem_copy_2cta", "tmem_load"],
    "operands in a type or layout that no instruction takes": [
        "attention_persistent_inner_loop_kernel", "constant_init_integer", "for_loop_control_operand_ppg", "hoisted_alloc",
        "missing_proxy_fence_local_store_before_tmem_copy", "mma_lhs_tmem", "mmav5_reorder_transpose_2cta",
        "nested_loop_no_double_buffer", "nested_loop_yes_double_buffer", "no_tmem_promotion", "promote_lhs_to_tmem",
        "proxy_fence_tracks_cp_async_and_wgmma", "reg_argument", "tc_gen5_mma_scaled_fp4_padded_shared_linear_a", "tma_load_double_use",
        "tmem_copy_after_alloc", "warp_group_dot", "warp_group_dot_sync", "warp_multiple_group"],
    "scales or padding of another form than the instruction takes": [
        "block_scale_mxfp_matmul", "block_scale_mxfp_matmul_tmem_copy", "gen5_mma_scaled_shmem_to_tmem", "load_into_async_mma",
        "load_scale_mma_user", "matmul_scaled_rhs_scales_tma", "mma_scaled_lhs_tmem", "nested_loop_no_double_buffer_scaled",
        "nested_loop_yes_double_buffer_scaled", "pipelining_mmav5_scaled", "promote_lhs_scaled", "scaled_mma_with_loads",
        "scales_in_shmem", "st_then_mma_scaled_scale_operand", "tc_gen5_mma_block_scale", "tc_gen5_mma_block_scale_ab_reuse",
        "tc_gen5_mma_block_scale_fp4_a", "tc_gen5_mma_block_scale_fp8_sm107", "tc_gen5_mma_block_scale_nvfp4_sm107_m256",
        "tc_gen5_mma_scaled", "tc_gen5_mma_scaled_tmem_scales"],
}
REASONS = {name: why for why, names in MISTAKES.items() for name in names}
# Modules of many tests that no chip can launch, or not theirs.
LAUNCH = re.compile(r"cannot run on|makes a block of")
# Warnings about text that Triton ignores, and modules that its passes abort on.
NOT_LINTS = {"syntax", "verify.tt.func"}

MARK = re.compile(r"expected-error(?:-re)?\s*(?:@([+-]\d+|\w+))?\s*(?:(\d+)\s*)?\{\{")
RUN = re.compile(r"//\s*RUN:\s*(.*)")
# Options that only say how a test is read and checked. Any other one names a pass.
PLAIN = re.compile(r"(split-input-file|verify-diagnostics(=.*)?|allow-unregistered-dialect|verify-each.*|mlir-.*|o)$")


def marked_lines(lines):
    """Numbers, from one, of the lines on which an error is expected; unknown places are left out."""
    marked, errors = set(), []
    for number, line in enumerate(lines, 1):
        for mark in MARK.finditer(line):
            at = mark[1]
            if at is None:
                errors.append(number)
            elif at[0] in "+-":
                errors.append(number + int(at))
            elif at == "below":
                errors.append(number + 1 + next(
                    (i for i, later in enumerate(lines[number:]) if "expected-" not in later), 0))
            elif at == "above":
                errors.append(number - 1)
    marked.update(errors)
    return marked


def mistake_at(lines, number, message):
    """Why what we report on that line is right; nothing where it is not known to be."""
    if LAUNCH.search(message):
        return "a launch that the module's chip cannot make"
    for line in reversed(lines[:number]):
        if function := re.search(r"\b(?:tt|llvm)\.func\b[^@]*@(\w+)", line):
            return REASONS.get(function[1])
    return None


def start_of_function(lines, number):
    """Triton's verifier stops at the first error of a function, so we may say more after it."""
    while number > 1 and not re.match(r"// -----|\s*(tt|llvm|func)\.func\b", lines[number - 1]):
        number -= 1
    return number


def runs(lines):
    """The commands of a test's RUN lines."""
    return "\n".join(run[1] for run in map(RUN.search, lines) if run)


def runs_a_pass(lines):
    return any(not PLAIN.match(option) for run in runs(lines).splitlines()
               for option in re.findall(r"(?:^|\s)--?([a-zA-Z][^\s]*)", run.split("|")[0]))


def parts_of(lines):
    """The (first, last) line of each part between `// -----`."""
    first = 1
    for number, line in enumerate(lines, 1):
        if line.startswith("// -----"):
            yield first, number - 1
            first = number + 1
    yield first, len(lines)


def check(program, paths):
    """path -> diagnostics, of all files in one run for each few."""
    found = {}
    for i in range(0, len(paths), 40):
        some = [str(path) for path in paths[i:i + 40]]
        result = subprocess.run([program, "check", "--format=json", "--release=3.9", *some], capture_output=True, check=False)
        for file in json.loads(result.stdout)["files"]:
            found[file["path"]] = file["diagnostics"]
    return found


def at_first_user(found):
    """We report a layout that does not fit its module at its alias, with its users as notes; Triton at the first user."""
    users = [note["line"] for note in found.get("related", []) if "line" in note]
    return {**found, "line": min(users)} if found["code"] == "verify.layout" and users else found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", metavar="KERNELSCOPE")
    parser.add_argument("--checkout", type=pathlib.Path, default=os.environ.get("KS_TRITON_CHECKOUT") or None,
                        help="folder of a Triton checkout; else the variable KS_TRITON_CHECKOUT")
    parser.add_argument("--verbose", action="store_true", help="also the lines that differ")
    options = parser.parse_args()
    if not options.checkout or not (options.checkout / "test").is_dir():
        print("skipped: no Triton checkout; name one in KS_TRITON_CHECKOUT or with --checkout")
        sys.exit(77)

    root = options.checkout / "test"
    paths, rows = [], []
    left_out, codes, mistakes = collections.Counter(), collections.Counter(), collections.Counter()
    for path in sorted(root.rglob("*.mlir")):
        folder = NOT_OURS & set(path.relative_to(root).parts)
        if folder:
            left_out[f"the folder {min(folder)}"] += 1
        else:
            paths.append(path)
    diagnostics = check(options.program, paths)
    differing = []
    for path in paths:
        lines = path.read_text().splitlines()
        marked, errors, warnings, skipped = marked_lines(lines), {}, set(), set()
        setting = next((what for word, what in NOT_PLAIN.items() if word in runs(lines) or
                        any(word in line for line in lines[:15] if "XFAIL" in line)), None)
        if setting:
            left_out[setting] += 1
            continue
        for first, last in parts_of(lines):
            code = "\n".join(line.split("//")[0] for line in lines[first - 1:last])
            names = set(FORK_ONLY.findall(code))
            if NEWER_MLIR.search(code):
                names.add("later-MLIR")
            names = {re.split(r"[ (]", name)[0] for name in names}
            if names:
                skipped.update(range(first, last + 1))
                left_out.update(names)
        takes_any_op = "-allow-unregistered-dialect" in runs(lines)
        for found in map(at_first_user, diagnostics[str(path)]):
            if found["line"] in skipped or takes_any_op and found["code"] in ("unknown-op", "unknown-dialect"):
                continue
            # What an older Triton wrote is an error to today's, to us a hint.
            if found["line"] not in marked and (reason := mistake_at(lines, found["line"], found["message"])):
                mistakes[reason] += found["severity"] != "hint"
            elif found["severity"] == "error" or (found["code"] == "older-spelling" and found["line"] in marked):
                errors.setdefault(found["line"], found)
            elif found["severity"] == "warning":
                if found["code"] not in NOT_LINTS:
                    warnings.add(found["line"])
                codes[found["code"]] += 1
                differing.append(f"{path}:{found['line']}: warning {found['code']}: {found['message']}")
        marked -= skipped
        kind = "valid" if not marked else "pass" if runs_a_pass(lines) else "invalid"
        false = {line: found for line, found in errors.items()
                 if line not in marked and not marked & set(range(start_of_function(lines, line), line))}
        differing += [f"{path}:{line}: false alarm: {found['code']}: {found['message']}"
                      for line, found in sorted(false.items())]
        if kind == "invalid":
            differing += [f"{path}:{line}: no error" for line in sorted(marked - errors.keys())]
        rows.append((kind, str(path.relative_to(root)), len(marked), len(marked & errors.keys()), len(false),
                     len(warnings)))

    if options.verbose:
        print("\n".join(differing))
    print(f"{'file':58} {'expected':>8} {'ours':>5} {'false':>5} {'warned':>6}")
    failed = False
    for kind, title in [("invalid", "tests of the verifiers"), ("pass", "tests of a pass: its errors are not ours"),
                        ("valid", "tests without an error")]:
        some = [row for row in rows if row[0] == kind]
        total = [sum(row[i] for row in some) for i in range(2, 6)]
        for _, name, expected, ours, false, warned in some:
            if kind != "valid" or false or warned:
                print(f"{name:58} {expected:8} {ours:5} {false:5} {warned:6}")
        print(f"{title + f' ({len(some)})':58} {total[0]:8} {total[1]:5} {total[2]:5} {total[3]:6}")
        failed |= total[2] != 0 or total[3] != 0 or (kind == "invalid" and total[0] != total[1])
    for name, count in sorted(left_out.items()):
        print(f"left out: {count:4} of {name}")
    for reason, count in sorted(mistakes.items()):
        print(f"right:    {count:4} on {reason}")
    for code, count in sorted(codes.items()):
        print(f"warnings {code}: {count}")
    sys.exit(1 if failed else 0)


main()
