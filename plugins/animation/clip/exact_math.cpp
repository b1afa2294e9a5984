#include "plugins/animation/clip/exact_math.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// The algorithms and constants of sin, cos, acos, atan and atan2 are those of fdlibm 5.3:
//   Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//   Developed at SunSoft, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this
//   software is freely granted, provided that this notice is preserved.
// The order of operations decides the last bit: keep it.

namespace simmer::animation::exact {
namespace {

constexpr double kPi = 3.1415926535897931160e+00;
constexpr double kPiLow = 1.2246467991473531772e-16;
constexpr double kHalfPi = 1.57079632679489655800e+00;
constexpr double kHalfPiLow = 6.12323399573676603587e-17;

/// Upper half of the bits: sign, exponent and 20 bits of the fraction.
std::int32_t highWord(double x) {
  return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(x) >> 32);
}
std::int32_t magnitudeWord(double x) {
  return highWord(x) & 0x7FFFFFFF;
}
double fromHighWord(std::int32_t word) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(word)) << 32);
}

/// x = quadrant · π/2 + high + low, with |high| at most π/4.
struct Reduced {
  std::int32_t quadrant = 0;
  double high = 0, low = 0;
};

// π/2 in three pieces of 33 bits, each with what is left of it.
constexpr double kPio2[3] = {1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624871116645580e-21};
constexpr double kPio2Rest[3] = {6.07710050650619224932e-11, 2.02226624879595063154e-21, 8.47842766036889956997e-32};

/// For π/4 < |x| ≤ 2^20 · π/2.
Reduced reduce(double x) {
  const std::int32_t word = magnitudeWord(x);
  const double magnitude = std::abs(x);
  Reduced result;
  if (word < 0x4002D97C) {  // below 3π/4
    const bool close = word == 0x3FF921FB;
    const double rest = close ? kPio2Rest[1] : kPio2Rest[0];
    double z = magnitude - kPio2[0];
    if (close) z -= kPio2[1];
    result = {1, z - rest, 0};
    result.low = (z - result.high) - rest;
  } else {
    const auto n = static_cast<std::int32_t>(magnitude * 6.36619772367581382433e-01 + 0.5);
    double r = magnitude - n * kPio2[0];
    double w = n * kPio2Rest[0];
    result = {n, r - w, 0};
    // Close to a multiple of π/2 the leading bits cancel: take the next piece of π/2, and the one behind it.
    const bool mayCancel = n >= 32 || word == highWord(n * kHalfPi);
    for (int piece = 1; piece < 3 && mayCancel; ++piece) {
      const int lostBits = (word >> 20) - ((highWord(result.high) >> 20) & 0x7FF);
      if (lostBits <= (piece == 1 ? 16 : 49)) break;
      const double before = r;
      w = n * kPio2[piece];
      r = before - w;
      w = n * kPio2Rest[piece] - ((before - r) - w);
      result.high = r - w;
    }
    result.low = (r - result.high) - w;
  }
  return x < 0 ? Reduced{-result.quadrant, -result.high, -result.low} : result;
}

/// Sine of x + y for |x| ≤ π/4; `y` is the tail of x.
double kernelSin(double x, double y, bool hasTail) {
  constexpr double kS1 = -1.66666666666666324348e-01, kS2 = 8.33333333332248946124e-03,
                   kS3 = -1.98412698298579493134e-04, kS4 = 2.75573137070700676789e-06,
                   kS5 = -2.50507602534068634195e-08, kS6 = 1.58969099521155010221e-10;
  if (magnitudeWord(x) < 0x3E400000) return x;
  const double z = x * x;
  const double v = z * x;
  const double r = kS2 + z * (kS3 + z * (kS4 + z * (kS5 + z * kS6)));
  if (!hasTail) return x + v * (kS1 + z * r);
  return x - ((z * (0.5 * y - v * r) - y) - v * kS1);
}

/// Cosine of x + y for |x| ≤ π/4.
double kernelCos(double x, double y) {
  constexpr double kC1 = 4.16666666666666019037e-02, kC2 = -1.38888888888741095749e-03,
                   kC3 = 2.48015872894767294178e-05, kC4 = -2.75573143513906633035e-07,
                   kC5 = 2.08757232129817482790e-09, kC6 = -1.13596475577881948265e-11;
  const std::int32_t word = magnitudeWord(x);
  if (word < 0x3E400000) return 1;
  const double z = x * x;
  const double r = z * (kC1 + z * (kC2 + z * (kC3 + z * (kC4 + z * (kC5 + z * kC6)))));
  if (word < 0x3FD33333) return 1 - (0.5 * z - (z * r - x * y));
  const double part = word > 0x3FE90000 ? 0.28125 : fromHighWord(word - 0x00200000);  // about x / 4
  const double half = 0.5 * z - part;
  return (1 - part) - (half - (z * r - x * y));
}

/// Beyond this the reduction above has too few bits of π.
bool isFar(double x) {
  return magnitudeWord(x) > 0x413921FB;
}

/// The rational function that acos() shares between its ranges.
double acosRatio(double z) {
  constexpr double kP0 = 1.66666666666666657415e-01, kP1 = -3.25565818622400915405e-01,
                   kP2 = 2.01212532134862925881e-01, kP3 = -4.00555345006794114027e-02,
                   kP4 = 7.91534994289814532176e-04, kP5 = 3.47933107596021167570e-05;
  constexpr double kQ1 = -2.40339491173441421878e+00, kQ2 = 2.02094576023350569471e+00,
                   kQ3 = -6.88283971605453293030e-01, kQ4 = 7.70381505559019352791e-02;
  const double p = z * (kP0 + z * (kP1 + z * (kP2 + z * (kP3 + z * (kP4 + z * kP5)))));
  const double q = 1 + z * (kQ1 + z * (kQ2 + z * (kQ3 + z * kQ4)));
  return p / q;
}

double atan(double x) {
  constexpr double kHigh[] = {4.63647609000806093515e-01, 7.85398163397448278999e-01, 9.82793723247329054082e-01,
                              kHalfPi};
  constexpr double kLow[] = {2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17,
                             kHalfPiLow};
  constexpr double kT[] = {3.33333333333329318027e-01,  -1.99999999998764832476e-01, 1.42857142725034663711e-01,
                           -1.11111104054623557880e-01, 9.09088713343650656196e-02,  -7.69187620504482999495e-02,
                           6.66107313738753120669e-02,  -5.83357013379057348645e-02, 4.97687799461593236017e-02,
                           -3.65315727442169155270e-02, 1.62858201153657823623e-02};
  const std::int32_t word = magnitudeWord(x);
  if (word >= 0x44100000) return x > 0 ? kHigh[3] + kLow[3] : -kHigh[3] - kLow[3];
  if (word < 0x3E400000) return x;
  int part = -1;
  double t = x;
  if (word >= 0x3FDC0000) {
    t = std::abs(x);
    part = word < 0x3FE60000 ? 0 : word < 0x3FF30000 ? 1 : word < 0x40038000 ? 2 : 3;
    t = part == 0   ? (2 * t - 1) / (2 + t)
        : part == 1 ? (t - 1) / (t + 1)
        : part == 2 ? (t - 1.5) / (1 + 1.5 * t)
                    : -1 / t;
  }
  const double z = t * t;
  const double w = z * z;
  const double s1 = z * (kT[0] + w * (kT[2] + w * (kT[4] + w * (kT[6] + w * (kT[8] + w * kT[10])))));
  const double s2 = w * (kT[1] + w * (kT[3] + w * (kT[5] + w * (kT[7] + w * kT[9]))));
  if (part < 0) return t - t * (s1 + s2);
  const double angle = kHigh[part] - ((t * (s1 + s2) - kLow[part]) - t);
  return x < 0 ? -angle : angle;
}

}  // namespace

double sin(double x) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  if (isFar(x)) x = std::remainder(x, 2 * kPi);  // exact for the double nearest to 2π
  if (magnitudeWord(x) <= 0x3FE921FB) return kernelSin(x, 0, false);
  const Reduced part = reduce(x);
  const double value = part.quadrant % 2 == 0 ? kernelSin(part.high, part.low, true) : kernelCos(part.high, part.low);
  return (part.quadrant & 2) != 0 ? -value : value;
}

double cos(double x) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  if (isFar(x)) x = std::remainder(x, 2 * kPi);
  if (magnitudeWord(x) <= 0x3FE921FB) return kernelCos(x, 0);
  const Reduced part = reduce(x);
  const double value = part.quadrant % 2 == 0 ? kernelCos(part.high, part.low) : kernelSin(part.high, part.low, true);
  return ((part.quadrant + 1) & 2) != 0 ? -value : value;
}

double acos(double x) {
  if (!(std::abs(x) <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (std::abs(x) == 1) return x > 0 ? 0 : kPi + 2 * kHalfPiLow;
  const std::int32_t word = magnitudeWord(x);
  if (word < 0x3FE00000) {
    if (word <= 0x3C600000) return kHalfPi + kHalfPiLow;
    return kHalfPi - (x - (kHalfPiLow - x * acosRatio(x * x)));
  }
  if (x < 0) {
    const double z = (1 + x) * 0.5;
    const double s = std::sqrt(z);
    const double w = acosRatio(z) * s - kHalfPiLow;
    return kPi - 2 * (s + w);
  }
  const double z = (1 - x) * 0.5;
  const double s = std::sqrt(z);
  const double front = fromHighWord(highWord(s));  // s without its lower half: its square is exact
  const double correction = (z - front * front) / (s + front);
  const double w = acosRatio(z) * s + correction;
  return 2 * (front + w);
}

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 1) return atan(y);
  const bool left = std::signbit(x);
  if (y == 0) return std::copysign(left ? kPi : 0.0, y);
  if (x == 0) return std::copysign(kHalfPi, y);
  if (std::isinf(x)) {
    const double angle = std::isinf(y) ? (left ? 3 * (kPi / 4) : kPi / 4) : (left ? kPi : 0.0);
    return std::copysign(angle, y);
  }
  if (std::isinf(y)) return std::copysign(kHalfPi, y);
  const std::int32_t difference = (magnitudeWord(y) - magnitudeWord(x)) >> 20;
  if (difference > 60) return std::copysign(kHalfPi + 0.5 * kPiLow, y);
  const double angle = left && difference < -60 ? 0 : atan(std::abs(y / x));
  return std::copysign(left ? kPi - (angle - kPiLow) : angle, y);
}

double hypot(const double* values, unsigned count) {
  double largest = 0;
  bool isNan = false;
  for (unsigned i = 0; i < count; ++i) {
    isNan = isNan || std::isnan(values[i]);
    largest = std::max(largest, std::abs(values[i]));
  }
  if (std::isinf(largest) || largest == 0)
    return isNan && largest == 0 ? std::numeric_limits<double>::quiet_NaN() : largest;
  if (isNan) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0, compensation = 0;
  for (unsigned i = 0; i < count; ++i) {
    const double ratio = std::abs(values[i]) / largest;
    const double summand = ratio * ratio - compensation;
    const double next = sum + summand;
    compensation = (next - sum) - summand;
    sum = next;
  }
  return std::sqrt(sum) * largest;
}

double cbrt(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  double fraction = std::frexp(std::abs(x), &exponent);  // exact, in [0.5, 1)
  for (; exponent % 3 != 0; ++exponent) fraction /= 2;   // now in [0.125, 1)
  // Newton's method from above: each step doubles the right digits, and from 1 six of them reach the last bit.
  double root = 1;
  for (int step = 0; step < 8; ++step) root -= (root - fraction / (root * root)) / 3;
  return std::copysign(std::ldexp(root, exponent / 3), x);
}

}  // namespace simmer::animation::exact
