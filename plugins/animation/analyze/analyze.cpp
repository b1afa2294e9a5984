#include "plugins/animation/analyze/analyze.h"

#include <algorithm>
#include <ostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "plugins/animation/analyze/analysis.h"
#include "plugins/animation/analyze/folder_reader.h"
#include "plugins/animation/analyze/report.h"
#include "plugins/animation/import/importer.h"

namespace simmer::animation {
namespace {

constexpr int kFine = 0, kFailed = 1, kWrongUsage = 2;
/// Clips of one file that are analysed when none is named: enough to read.
constexpr std::size_t kClipsAtOnce = 8;

struct Options {
  std::string file;
  std::vector<std::string> clips;
  bool json = false, all = false;
  ImportOptions import;
};

/// Empty when the words ask for help or are wrong; `code` is then what to end with.
std::optional<Options> parse(Arguments& arguments, int& code) {
  Options options;
  CLI::App app{"How much of this animation can you throw away?", "simmer analyze"};
  app.add_option("FILE", options.file, "A file with animation clips")->required();
  app.add_option("--clip", options.clips, "Only the clip of this name; may be given again")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_flag("--all", options.all, fmt::format("Every clip, where a file has more than {}", kClipsAtOnce));
  app.add_flag("--json", options.json, "As JSON");
  app.add_option("--metres-per-unit", options.import.metresPerUnit, "For formats without a unit of their own (BVH)")
      ->type_name("METRES")
      ->capture_default_str()
      ->check(CLI::Range(1e-9, 1e9));
  std::vector<std::string> words(arguments.words.rbegin(), arguments.words.rend());
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    const bool help = error.get_exit_code() == 0;
    code = app.exit(error, arguments.out, arguments.err) == 0 && help ? kFine : kWrongUsage;
    return std::nullopt;
  }
  return options;
}

/// The clips to analyse and, in `left`, those that there was no room for.
Result<std::vector<std::string>> chooseClips(const SourceContents& contents, const Options& options,
                                             std::vector<std::string>& left) {
  std::vector<std::string> all;
  for (const ClipInfo& clip : contents.clips) all.push_back(clip.id);
  if (all.empty())
    return fail(ErrorCode::InvalidInput, "holds no clips{}",
                contents.warnings.empty() ? "" : ": " + contents.warnings.front());
  if (!options.clips.empty()) {
    for (const std::string& name : options.clips)
      if (std::ranges::find(all, name) == all.end())
        return fail(ErrorCode::NotFound, "has no clip '{}'; it has {}", name, fmt::join(all, ", "));
    return options.clips;
  }
  if (all.size() <= kClipsAtOnce || options.all) return all;
  left.assign(all.begin() + kClipsAtOnce, all.end());
  all.resize(kClipsAtOnce);
  return all;
}

class Command {
 public:
  Command(Options options, Arguments& arguments, Context& context)
      : m_options(std::move(options)), m_arguments(arguments), m_context(context), m_reader(m_options.file) {}

  int run() {
    const auto contents = readContents(m_reader, m_options.import, m_context);
    if (!contents) return complain("", contents.error());
    std::vector<std::string> left;
    const auto ids = chooseClips(*contents, m_options, left);
    if (!ids) return complain("", ids.error());
    int code = kFine;
    for (const std::string& id : *ids)
      if (const auto result = analyzeOne(id); !result) code = complain(id, result.error());
    m_options.json ? finishJson(left, contents->warnings) : finishText(left, contents->warnings);
    return code;
  }

 private:
  int complain(std::string_view clip, const Error& error) {
    const std::string place = clip.empty() ? "" : fmt::format(", clip '{}'", clip);
    m_arguments.err << printable(fmt::format("simmer analyze: {}{}: {}", m_options.file, place, error.text())) << '\n';
    return kFailed;
  }

  Result<void> analyzeOne(const std::string& id) {
    SIMMER_TRY(clip, readClip(m_reader, id, m_options.import, m_context));
    SIMMER_TRY(analysis, analyzeClip(clip, m_context));
    if (m_options.json) {
      m_json.push_back(nlohmann::ordered_json::parse(jsonReport(analysis)));
    } else {
      const std::string name(m_reader.sourceName());
      const std::string title = clip.named ? fmt::format("\"{}\" ({})", clip.id, name) : name;
      m_arguments.out << textReport(analysis, title, m_arguments.terminal) << std::flush;
    }
    return {};
  }

  void finishText(const std::vector<std::string>& left, const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) m_arguments.out << fmt::format("\nNote: {}\n", printable(warning));
    if (left.empty()) return;
    m_arguments.out << fmt::format("\n{} more clips are in the file; --clip NAME or --all shows them: {}\n",
                                   left.size(), printable(fmt::format("{}", fmt::join(left, ", "))));
  }

  void finishJson(const std::vector<std::string>& left, const std::vector<std::string>& warnings) {
    const nlohmann::ordered_json all{
        {"file", m_options.file}, {"clips", m_json}, {"clips_left_out", left}, {"warnings", warnings}};
    m_arguments.out << all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
  }

  Options m_options;
  Arguments& m_arguments;
  Context& m_context;
  FolderReader m_reader;
  nlohmann::ordered_json m_json = nlohmann::ordered_json::array();
};

}  // namespace

int analyze(Arguments& arguments, Context& context) {
  int code = kWrongUsage;
  auto options = parse(arguments, code);
  return options ? Command(std::move(*options), arguments, context).run() : code;
}

}  // namespace simmer::animation
