#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cooker/policy/budget.h"
#include "cooker/report/project_state.h"

namespace simmer {

enum class Verdict {
  Fine,
  NoBaseline,  ///< growth of which nobody can tell: nothing to compare with
  Exceeded,
};
std::string_view toString(Verdict verdict);  ///< "fine", "no-baseline", "exceeded"

/// One limit of a budget, and how much of it is used.
struct LimitCheck {
  enum class Limit { Bytes, Growth, ErrorMm, ErrorPx };
  Limit limit = Limit::Bytes;
  double most = 0;             ///< bytes, per cent, mm or pixels
  std::optional<double> used;  ///< in the same unit; nothing when it is not known
  Verdict verdict = Verdict::Fine;
};
std::string_view toString(LimitCheck::Limit limit);  ///< as the key in simmer.toml: "max_bytes"

/// An asset (or a file that several share) that has a part in a budget being exceeded.
struct Culprit {
  std::string name;
  std::string source;
  std::string item;
  std::optional<std::uint64_t> before;  ///< bytes; no value without a baseline
  std::uint64_t after = 0;
  double errorMm = -1;  ///< above what is allowed; below 0: this is about bytes
  double errorPx = -1;
};

struct BudgetVerdict {
  Budget budget;
  std::uint64_t assets = 0;             ///< that it is about
  std::uint64_t used = 0;               ///< bytes of all of them
  std::optional<std::uint64_t> before;  ///< at the baseline
  std::vector<LimitCheck> limits;
  std::vector<Culprit> culprits;    ///< when exceeded: who grew most, or is largest where there is no baseline
  Verdict verdict = Verdict::Fine;  ///< the worst of the limits
};

/// Holds each budget against the assets it is about. Bytes are what they publish (a file that several share counts
/// once, the manifest never) or take in memory. `baseline` may be null. Names at most `mostCulprits` assets.
std::vector<BudgetVerdict> checkBudgets(const std::vector<Budget>& budgets, const ProjectState& now,
                                        const ProjectState* baseline, std::size_t mostCulprits);

}  // namespace simmer
