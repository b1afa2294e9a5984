#include "cooker/plugin/plugin_api.h"

#include <cmath>
#include <ostream>

namespace simmer {
namespace {

constexpr double kPersonHeightM = 1.8;
constexpr double kPi = 3.14159265358979323846;
constexpr int kSeriesTerms = 20;

/// The tangent of an angle from 0 to just below a right one. Tolerances decide bytes, and the C library's tangent has
/// another last bit on another machine; the series of sine and cosine need nothing but exact operations.
double tangent(double angle) {
  const double square = angle * angle;
  double sine = 0, cosine = 0;
  for (int i = kSeriesTerms; i >= 0; --i) {  // Horner's scheme
    cosine = 1 - square / ((2 * i + 1) * (2 * i + 2)) * cosine;
    sine = 1 - square / ((2 * i + 2) * (2 * i + 3)) * sine;
  }
  return angle * sine / cosine;
}

}  // namespace

double ToleranceRule::heightM(double measuredHeightM) const {
  return objectHeightM.value_or(measuredHeightM > 0 ? measuredHeightM : kPersonHeightM);
}

double ToleranceRule::metresPerPixel(double measuredHeightM) const {
  if (distanceM) return 2 * *distanceM * tangent(fovDeg * (kPi / 360)) / viewportPx;
  return heightM(measuredHeightM) / screenHeightPx;
}

double ToleranceRule::onScreenPx(double measuredHeightM) const {
  return distanceM ? heightM(measuredHeightM) / metresPerPixel(measuredHeightM) : screenHeightPx;
}

double ToleranceRule::resolve(double measuredHeightM) const {
  return toleranceM ? *toleranceM : pixelBudget * metresPerPixel(measuredHeightM);
}

int AssetPlugin::run(std::string_view command, Arguments& arguments, Context&) const {
  arguments.err << "this plugin has no command '" << command << "'\n";
  return 2;
}

}  // namespace simmer
