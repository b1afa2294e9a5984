#include "plugins/animation/codec/spline/uniform_fits.h"

namespace simmer::animation::spline {
namespace {

const std::vector<float> kAllCount;

}  // namespace

UniformFits::Entry::Entry(Basis made) : basis(std::make_shared<Basis>(std::move(made))), fitter(*basis, kAllCount) {}

const UniformFits::Entry& UniformFits::of(KnotKind kind, std::uint32_t spacing) {
  const auto found = m_entries.find({kind, spacing});
  if (found != m_entries.end()) return found->second;
  return m_entries.try_emplace({kind, spacing}, basisOf({kind, spacing, 0, {}})).first->second;
}

}  // namespace simmer::animation::spline
