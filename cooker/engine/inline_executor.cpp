#include "cooker/engine/inline_executor.h"

#include <algorithm>
#include <exception>
#include <new>

#include "cooker/engine/tree_reader.h"

namespace simmer {
namespace {

constexpr std::size_t kMaxLogLines = 200;

class JobContext : public Context {
 public:
  explicit JobContext(const std::function<bool()>& cancelled) : m_cancelled(cancelled) {}
  void progress(double) override {}
  bool cancelled() const override { return m_cancelled && m_cancelled(); }
  void log(Level level, std::string_view text) override {
    if (lines.size() < kMaxLogLines) lines.push_back((level == Level::Warning ? "warning: " : "") + std::string(text));
  }

  std::vector<std::string> lines;

 private:
  const std::function<bool()>& m_cancelled;
};

template <class T>
Result<Answer::Value> wrap(Result<T> result) {
  if (!result) return tl::unexpected(std::move(result).error());
  return Answer::Value(std::move(*result));
}

Result<Answer::Value> call(const AssetPlugin& plugin, const Job& job, SourceReader& reader, Context& context) {
  switch (job.kind) {
    case Job::Kind::Describe:
      return wrap(plugin.describe(job.import, reader, context));
    case Job::Kind::Cook:
      return wrap(plugin.cook(job.request, reader, context));
    case Job::Kind::Measure:
      return wrap(plugin.measure(job.request, reader, *job.artifact, context));
  }
  return fail(ErrorCode::Unsupported, "unknown kind of job");
}

}  // namespace

std::optional<Digest> Answer::digestOf(std::string_view path) const {
  const auto found = std::find_if(dependencies.begin(), dependencies.end(),
                                  [&](const Dependency& dependency) { return dependency.path == path; });
  return found == dependencies.end() ? std::nullopt : found->digest;
}

Answer runJob(const AssetPlugin& plugin, const Job& job, const std::function<bool()>& cancelled) {
  TreeReader reader(job.sourceRoot, job.sourcePath);
  JobContext context(cancelled);
  Answer answer;
  try {
    answer.value = call(plugin, job, reader, context);
  } catch (const std::bad_alloc&) {
    answer.value = fail(ErrorCode::Io, "out of memory");
  } catch (const std::exception& exception) {
    answer.value = fail(ErrorCode::PluginCrashed, "the plugin threw: {}", exception.what());
  } catch (...) {
    answer.value = fail(ErrorCode::PluginCrashed, "the plugin threw something that is no std::exception");
  }
  answer.dependencies = reader.dependencies();
  answer.log = std::move(context.lines);
  return answer;
}

Answer InlineExecutor::execute(const Job& job, const std::function<bool()>& cancelled) {
  const auto plugin = m_catalog.load(job.plugin);
  if (!plugin) return {tl::unexpected(plugin.error()), {}, {}};
  return runJob(**plugin, job, cancelled);
}

}  // namespace simmer
