#include "plugins/animation/import/bvh_rate.h"

#include <cmath>

namespace simmer::animation::bvh {
namespace {

constexpr double kLargestMove = 0.015;      // of the rate
constexpr double kArithmeticSlack = 1e-14;  // of the frame time: for texts with as many digits as a double has
constexpr double kNtscRates[] = {24 / 1.001, 30 / 1.001, 60 / 1.001};

/// The weight of the last digit that the text has: 1e-7 for "0.0083333".
double lastDigit(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = mantissa.find('.');
  int exponent = point == std::string_view::npos ? 0 : -static_cast<int>(mantissa.size() - point - 1);
  if (e != std::string_view::npos) {
    const bool negative = text.substr(e + 1).starts_with('-');
    int written = 0;
    for (const char c : text.substr(e + 1))
      if (c >= '0' && c <= '9' && written < 1000) written = written * 10 + (c - '0');
    exponent += negative ? -written : written;
  }
  double weight = 1;
  for (; exponent > 0 && weight < 1e30; --exponent) weight *= 10;
  for (; exponent < 0 && weight > 1e-30; ++exponent) weight /= 10;
  return weight;
}

}  // namespace

double frameRate(std::string_view text, double seconds) {
  const double written = 1 / seconds;
  const double digit = lastDigit(text);
  const double slack = kArithmeticSlack * seconds;
  const auto means = [&](double rate) {
    const double exact = 1 / rate;
    return exact >= seconds - digit / 2 - slack && exact < seconds + digit + slack &&
           std::abs(rate - written) < kLargestMove * written;
  };
  const double whole = std::floor(written + 0.5);
  if (whole >= 1 && means(whole)) return whole;
  for (const double rate : kNtscRates)
    if (means(rate)) return rate;
  return written;
}

}  // namespace simmer::animation::bvh
