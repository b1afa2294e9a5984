#pragma once

#include <vector>

namespace simmer::animation {

/// A low-pass without delay: the Butterworth filter of 2nd order, by bilinear transform with the cut-off kept in its
/// place, run forwards and backwards (as filtfilt does; Gustafsson 1996, "Determining the initial states in
/// forward-backward filtering"). A sine of f Hz comes out times 1 / (1 + (tan(πf/rate) / tan(πcutoff/rate))⁴), so half
/// as high at the cut-off. Each pass is a trapezoidal state variable filter (Simper 2013), which is exact for constants
/// and stays accurate far below the rate.
///
/// The ends are extended by the signal turned about its end points. Forwards-backwards and backwards-forwards differ a
/// little there; their mean does not tell the two directions of time apart, to the bit.
class LowPass {
 public:
  /// The cut-off has to be above 0 and below half the rate.
  LowPass(double cutOffHz, double rateHz);

  /// Filters at least two values in place.
  void apply(std::vector<double>& values) const;

 private:
  std::vector<double> extended(const std::vector<double>& values, std::size_t by) const;
  template <class Iterator>
  void pass(Iterator begin, Iterator end) const;

  double m_reach;           // of the filter in samples: what is further away does not matter
  double m_a1, m_a2, m_a3;  // of the state variable filter
};

}  // namespace simmer::animation
