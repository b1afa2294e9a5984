#pragma once

namespace simmer::animation::exact {

// Elementary functions whose last bit is the same on every machine, compiler and C library: only IEEE additions,
// multiplications, divisions and square roots. After fdlibm (Sun Microsystems 1993, "Freely Distributable LIBM"), below
// 1 ulp for arguments up to 2^20 · π/2.

double sin(double x);
double cos(double x);
double acos(double x);  ///< NaN outside [-1, 1]
double atan2(double y, double x);
double cbrt(double x);
/// Euclidean length, scaled so that it neither overflows nor underflows, summed with Kahan's compensation.
double hypot(const double* values, unsigned count);

}  // namespace simmer::animation::exact
