#include "cooker/plugin/plugin_api.h"

#include <ostream>

namespace simmer {
namespace {

constexpr double kPersonHeightM = 1.8;

}  // namespace

double ToleranceRule::metresPerPixel(double measuredHeightM) const {
  const double measured = measuredHeightM > 0 ? measuredHeightM : kPersonHeightM;
  return objectHeightM.value_or(measured) / screenHeightPx;
}

double ToleranceRule::resolve(double measuredHeightM) const {
  return toleranceM ? *toleranceM : pixelBudget * metresPerPixel(measuredHeightM);
}

int AssetPlugin::run(std::string_view command, Arguments& arguments, Context&) const {
  arguments.err << "this plugin has no command '" << command << "'\n";
  return 2;
}

}  // namespace simmer
