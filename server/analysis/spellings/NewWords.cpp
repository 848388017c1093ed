//===- NewWords.cpp - ops and layouts that older releases do not have -----===//

#include "server/analysis/spellings/Writing.h"

using namespace kernelscope;
using namespace kernelscope::spelling;

namespace {

/// Ops and layouts that Triton has since a release: what the parser of each
/// release from PyPI does not know before it.
struct NewWords {
  llvm::StringLiteral last; ///< The release before it.
  std::vector<llvm::StringLiteral> ops, layouts;
};

} // namespace

/// Nothing stands for it in an older release.
static std::optional<Edits> cannotWrite(const Site &, const Writing &) {
  return Edits();
}

std::vector<Writing> spelling::writingsOfNewWords() {
  const NewWords newWords[] = {
      {"3.4",
       {"amdg.buffer_atomic_cas", "amdg.masked_load", "amdg.masked_store",
        "gluon.set_auto_layout", "nvws.descriptor_gather",
        "nvws.descriptor_load", "nvws.warp_group.yield", "tt.map_elementwise",
        "tt.map_elementwise.return", "tt.unsplat",
        "ttng.async_copy_mbarrier_arrive", "ttng.tc_gen5_commit"},
       {"#ttg.padded_shared"}},
      {"3.5",
       {"amdg.arrive_barrier", "amdg.async_copy_mbarrier_arrive",
        "amdg.async_tdm_copy_global_to_local",
        "amdg.async_tdm_copy_local_to_global", "amdg.async_tdm_wait",
        "amdg.async_wait", "amdg.init_barrier", "amdg.memory_counter_wait",
        "amdg.scaled_upcast_fp4", "amdg.scaled_upcast_fp8", "amdg.wait_barrier",
        "nvws.aref.buffer"},
       {"#ttg.shared_linear"}},
      {"3.6",
       {"amdg.async_copy_local_to_global", "amdg.async_tdm_gather",
        "amdg.async_tdm_intrinsic_wait", "amdg.async_tdm_scatter",
        "amdg.cluster_barrier_arrive", "amdg.cluster_barrier_wait",
        "amdg.tdm_prefetch", "ttg.local_gather", "ttg.local_scatter",
        "ttng.fence_mbarrier_init_release_cluster"},
       {}},
      {"3.7",
       {"amdg.update_tensor_descriptor", "ttg.local_atomic_scatter_rmw",
        "ttng.async_shared_store", "ttng.clc_get_program_id",
        "ttng.clc_is_canceled", "ttng.clc_load_result", "ttng.clc_try_cancel",
        "ttng.packed_arith"},
       {"#ttg.generic_linear", "#ttg.partitioned_shared"}},
      {"3.8",
       {"amdg.async_tdm_fused_copy_global_to_local",
        "amdg.local_load_packed_transposed", "amdg.scaled_downcast_fp4",
        "amdg.scaled_downcast_fp8", "nvg.warp_group_barrier_id",
        "nvws.aref.phi", "nvws.clc_try_cancel", "tt.atomic_load",
        "tt.atomic_poll", "tt.atomic_store",
        "tt.grid_dependency_launch_dependents", "tt.grid_dependency_wait",
        "ttg.inline_asm", "ttng.clc_try_cancel_sync"},
       {"#ttng.cache_policy"}},
  };
  std::vector<Writing> rows;
  for (const NewWords &words : newWords) {
    for (llvm::StringRef op : words.ops)
      rows.push_back(
          {Place::Op, op.str(), until(words.last), cannotWrite, nullptr, true});
    for (llvm::StringRef layout : words.layouts)
      rows.push_back({Place::Attribute, layout.str(), until(words.last),
                      cannotWrite, nullptr, true});
  }
  return rows;
}
