// Gives text files one kind of line ending, whatever system they were written on.
#include <algorithm>

#include "cooker/plugin/qt_plugin.h"

using namespace simmer;

class ExamplePlugin final : public AssetPlugin {
 public:
  Result<Description> describe(const Settings&, SourceReader&, Context&) const override {
    Description description;
    description.items.emplace_back().id = "text";
    return description;
  }

  Result<Artifact> cook(const Request& request, SourceReader& source, Context&) const override {
    SIMMER_TRY(bytes, source.read(source.sourceName()));
    const std::string_view ending = settingText(request.settings, "line_ending") == "crlf" ? "\r\n" : "\n";
    std::string_view rest = asText(bytes);
    ByteWriter text;
    for (int number = 1; !rest.empty(); ++number) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.find_first_of(std::string_view("\r\0", 2)) != line.npos)
        return failAt(ErrorCode::InvalidInput, fmt::format("line {}", number), "a lone CR or a zero byte in the text");
      text.putBytes(asBytes(line));
      text.putBytes(asBytes(ending));
    }
    Artifact artifact{.outputs = {{"text", false, text.take()}}, .codec = "text", .rawBytes = bytes.size()};
    artifact.memoryBytes = artifact.outputs[0].bytes.size();
    return artifact;
  }

  Result<Measures> measure(const Request&, SourceReader& source, const Artifact& artifact, Context&) const override {
    SIMMER_TRY(bytes, source.read(source.sourceName()));
    if (artifact.outputs.size() != 1) return fail(ErrorCode::Corrupt, "not one output");
    std::string before(asText(bytes)), after(asText(artifact.outputs[0].bytes));
    std::erase(before, '\r');
    std::erase(after, '\r');
    if (!before.empty() && !before.ends_with('\n')) before += '\n';  // cook ends the last line
    return Measures{{"changed text", before == after ? 0.0 : 1.0, 0.0, "files"}};
  }
};

class ExampleQtPlugin final : public QObject, public QtPlugin {
  Q_OBJECT
  Q_PLUGIN_METADATA(IID SIMMER_PLUGIN_IID FILE "example.json")
  Q_INTERFACES(simmer::QtPlugin)
 public:
  const AssetPlugin& plugin() const override { return m_plugin; }

 private:
  ExamplePlugin m_plugin;
};

#include "plugin.moc"
