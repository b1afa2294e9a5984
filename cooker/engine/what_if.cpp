#include "cooker/engine/what_if.h"

#include <atomic>
#include <cmath>

#include "cooker/engine/work_queue.h"

namespace simmer {
namespace {

constexpr double kFirstToleranceM = 1e-4;  // tolerances of draft cooks are powers of two of it

/// An asset whose recipe the change touches.
struct Question {
  std::string path;
  const PluginMetadata* plugin = nullptr;
  ItemDescription item;
  Recipe before, then;
  std::size_t row = 0;  // of the answer
};

std::uint64_t artifactBytes(const AssetCooker::Cooked& cooked) {
  return cooked.result.outputs.empty() ? 0 : cooked.result.outputs.front().blob.bytes;
}

class Estimator {
 public:
  Estimator(AssetCooker& cooker, const Question& question) : m_cooker(cooker), m_question(question) {}

  /// The artifact's size with the recipe, cooked if need be.
  Result<std::uint64_t> exact(const Recipe& recipe) {
    SIMMER_TRY(cooked, m_cooker.cook(m_question.path, *m_question.plugin, recipe, m_question.item));
    if (cooked.result.error) return tl::unexpected(*cooked.result.error);
    return artifactBytes(cooked);
  }

  /// `isEstimate` says whether the size is one.
  Result<std::uint64_t> estimate(std::uint64_t bytesNow, bool& isEstimate) {
    SIMMER_TRY(known, m_cooker.keyNow(m_question.path, *m_question.plugin, m_question.then, m_question.item));
    if (known.kept && !known.kept->error && !known.kept->outputs.empty()) return known.kept->outputs.front().blob.bytes;
    if (!canEstimate()) return exact(m_question.then);
    SIMMER_TRY(before, draftBytes(m_question.before));
    SIMMER_TRY(then, draftBytes(m_question.then));
    isEstimate = true;
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(bytesNow) * then / before));
  }

 private:
  /// A change of what makes a draft a draft can not be seen in drafts.
  bool canEstimate() const {
    if (m_question.plugin->draft.empty() || m_question.before.plugin != m_question.then.plugin) return false;
    for (const auto& [name, value] : m_question.plugin->draft)
      if (m_question.before.settings.at(name).value != m_question.then.settings.at(name).value) return false;
    return true;
  }

  /// The draft size with the recipe's settings at its own tolerance.
  Result<double> draftBytes(const Recipe& recipe) {
    const double tolerance = recipe.tolerance.resolve(m_question.item.heightM);
    const double power = std::log2(tolerance / kFirstToleranceM);
    const double below = std::floor(power), part = power - below;
    SIMMER_TRY(low, draftBytesAt(recipe, below));
    if (part == 0) return low;
    SIMMER_TRY(high, draftBytesAt(recipe, below + 1));
    return std::exp2((1 - part) * std::log2(low) + part * std::log2(high));
  }

  Result<double> draftBytesAt(Recipe recipe, double power) {
    for (const auto& [name, value] : m_question.plugin->draft) recipe.settings[name].value = value;
    recipe.tolerance = {};
    recipe.tolerance.toleranceM = kFirstToleranceM * std::exp2(power);
    SIMMER_TRY(bytes, exact(recipe));
    return static_cast<double>(std::max<std::uint64_t>(bytes, 1));
  }

  AssetCooker& m_cooker;
  const Question& m_question;
};

/// Collects what is asked, and then answers it.
class Asking {
 public:
  Asking(OpenProject& now, const Project& then, const Catalog& catalog, const WhatIfOptions& options)
      : m_now(now), m_then(then), m_catalog(catalog), m_options(options) {}

  Result<WhatIf> run() {
    SIMMER_TRY(rows, m_now.state().rows());
    for (AssetRow& row : rows) {
      if (row.state == AssetState::Failed || row.artifactBytes == 0) {
        m_answer.notCooked += row.state != AssetState::Ignored ? 1 : 0;
        continue;
      }
      m_answer.assets.push_back({std::move(row), {}, 0, 0, false, false, {}});
    }
    collect();
    answerAll();
    m_answer.cancelled = cancelled();
    return std::move(m_answer);
  }

 private:
  bool cancelled() const { return m_options.cancelled && m_options.cancelled(); }

  void collect() {
    for (std::size_t i = 0; i < m_answer.assets.size(); ++i) {
      WhatIfAsset& asset = m_answer.assets[i];
      asset.profile = asset.now.profile;
      asset.toleranceM = asset.now.toleranceM;
      asset.bytes = asset.now.artifactBytes;
      if (const auto asked = ask(asset, i); !asked) asset.failure = asked.error().text();
    }
  }

  /// Both recipes of the asset; a question when they differ.
  Result<void> ask(WhatIfAsset& asset, std::size_t index) {
    const std::string& path = asset.now.source;
    if (path != m_path) {
      m_path = path;
      m_contents = m_now.contents(path);
    }
    if (!m_contents) return tl::unexpected(m_contents.error());
    const auto& items = m_contents->description.items;
    const auto item = std::find_if(items.begin(), items.end(), [&](auto& one) { return one.id == asset.now.item; });
    if (item == items.end()) return fail(ErrorCode::NotFound, "it has changed since it was cooked");
    const Sidecar* const sidecar = m_contents->sidecarOrNull();
    SIMMER_TRY(before, m_now.project().resolve(path, sidecar, &*item));
    SIMMER_TRY(then, m_then.resolve(path, sidecar, &*item));
    if (!before || !then) return {};
    asset.profile = then->profile;
    asset.changes = before->canonicalText() != then->canonicalText();
    // What loses nothing has no tolerance, whatever the rule says.
    if (asset.now.toleranceM > 0) asset.toleranceM = then->tolerance.resolve(item->heightM);
    const bool onlyTolerance = before->values() == then->values() && before->plugin == then->plugin;
    if (!asset.changes || (onlyTolerance && asset.now.toleranceM == 0)) return {};
    const PluginMetadata* const plugin = m_catalog.find(then->plugin);
    if (!plugin) return fail(ErrorCode::InvalidInput, "there is no plugin '{}'", then->plugin);
    m_questions.push_back({path, plugin, *item, std::move(*before), std::move(*then), index});
    return {};
  }

  void answerAll() {
    WorkQueue queue;
    for (const Question& question : m_questions)
      queue.push([&] {
        if (cancelled()) return;
        answer(question);
        const std::lock_guard lock(m_mutex);
        ++m_done;
        if (m_options.progress) m_options.progress(m_done, m_questions.size());
      });
    queue.run(std::max(1U, m_options.jobs));
  }

  void answer(const Question& question) {
    WhatIfAsset& asset = m_answer.assets[question.row];
    Estimator estimator(m_now.cooker(), question);
    const auto bytes =
        m_options.exact ? estimator.exact(question.then) : estimator.estimate(asset.now.artifactBytes, asset.estimated);
    if (bytes)
      asset.bytes = *bytes;
    else
      asset.failure = bytes.error().text();
  }

  OpenProject& m_now;
  const Project& m_then;
  const Catalog& m_catalog;
  const WhatIfOptions& m_options;
  WhatIf m_answer;
  std::string m_path;
  Result<SourceContents> m_contents;
  std::vector<Question> m_questions;
  std::mutex m_mutex;
  std::size_t m_done = 0;
};

}  // namespace

Result<WhatIf> whatIf(OpenProject& now, const Project& then, const Catalog& catalog, const WhatIfOptions& options) {
  return Asking(now, then, catalog, options).run();
}

}  // namespace simmer
