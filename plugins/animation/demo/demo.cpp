#include "plugins/animation/demo/demo.h"

#include <filesystem>
#include <ostream>

#include "cooker/base/file.h"
#include "plugins/animation/demo/demo_files.h"

namespace simmer::animation {
namespace {

namespace fs = std::filesystem;

enum Exit { Fine = 0, WrongUsage = 2, Environment = 3 };

/// "14,532": bytes as a person reads them.
std::string grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(digits.begin() + static_cast<long>(at) - 3, ',');
  return digits;
}

/// Says which of the files are there already; false when none is.
bool anyIsThere(const fs::path& folder, const std::vector<DemoFile>& files, std::ostream& err) {
  bool found = false;
  for (const DemoFile& file : files) {
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(folder / file.path, ignored))) continue;
    err << fmt::format("simmer demo: {} is there already\n", (folder / file.path).string());
    found = true;
  }
  if (found) err << "simmer demo: nothing was written; name a folder that is not there yet\n";
  return found;
}

}  // namespace

int demo(Arguments& arguments, Context& context) {
  if (arguments.words.size() != 1 || arguments.words[0].empty() || arguments.words[0].starts_with('-')) {
    arguments.err << "usage: simmer demo DIR\n";
    return WrongUsage;
  }
  const fs::path folder = arguments.words[0];
  const auto files = demoFiles();
  if (!files) {
    arguments.err << "simmer demo: " << files.error().text() << '\n';
    return Environment;
  }
  if (anyIsThere(folder, *files, arguments.err)) return WrongUsage;
  for (std::size_t i = 0; i < files->size(); ++i) {
    const DemoFile& file = (*files)[i];
    context.progress(static_cast<double>(i) / static_cast<double>(files->size()));
    if (const auto written = writeFileAtomically(folder / file.path, file.bytes); !written) {
      arguments.err << "simmer demo: " << (folder / file.path).string() << ": " << written.error().text() << '\n';
      return Environment;
    }
    arguments.out << fmt::format("{:>9}  {:<34}  {}\n", grouped(file.bytes.size()), file.path, file.note);
  }
  return Fine;
}

}  // namespace simmer::animation
