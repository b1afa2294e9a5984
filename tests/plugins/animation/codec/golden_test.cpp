// Golden digests: what the codecs write must not change without a new version in animation.json. The last step is
// zlib's (a game's inflate reads any), so each clip has a digest without it (holds for ever) and one with it
// (zlib 1.2.13).

#include <thread>

#include <gtest/gtest.h>
#include <zlib.h>

#include "tests/plugins/animation/codec/test_clips.h"

namespace simmer::animation::test {
namespace {

using article::Sample;

struct Golden {
  Sample sample;
  double toleranceM;
  const char* stored;
  const char* deflated;
};

// codec.article 1, runtime.format 1
constexpr Golden kGolden[] = {
    {Sample::Walk, 0.00167, "7c577ca93edd8844d7738d8f29f7be36704f1364d574161d0084009be24df51c",
     "3085a9877a71634d826d8f8862c402488c4629f26f6bf422f36dd348e7af8c74"},
    {Sample::Walk, 0.00703, "f4bacc83c6e2536a1009d3fbaed050ae63cad7a8eff2590d71313dd3a5b06dec",
     "d64a1a243cd46a179307179c06844792f7857ca2b4baf3feaa82ef72da5cacc8"},
    {Sample::Walk, 0.02813, "24c77e39be6874a16676b590a4401d2725c4b50951ee1d5b8f9cc35b7de66700",
     "21df8129368e34532db83c30ff8f641489d504e53c93e586b811b56440651afb"},
    {Sample::Jump, 0.00167, "5fc4614526c53e7d83c30e1450e72238dbca12fe30fbd4fe97c799823c679890",
     "41ec586ea87fdef3c99e839511b37c09e0d8cc72e1e2bb5d604608a53fccf83d"},
    {Sample::Jump, 0.00703, "41f42b71f6bd342d723927356059486d0f7068020c0fb53f247e562644c16e84",
     "6db54881432b67777045cbda5be156141582fda1446aa88850d276e727acff98"},
    {Sample::Jump, 0.02813, "3dece847bc410e8832d2a63e93659561b5568603e3ac40f95f0c378efb3140e9",
     "85a1885963e9689c5a6c8020430345b30e64f073bc85a6a493f01e8d3d2c2efe"},
    {Sample::Mocap, 0.00167, "5915fbd3bf2ae5d81cfd71b314b9195c1b6ec28d4cf68c5bf7de63d74644cf8d",
     "59b9bd3fb8b335ad3b791490d96de8930ba14b4eaf7fc780ed588d812ef7961a"},
    {Sample::Mocap, 0.00703, "52bc0e5968352024caa79b54369c3ffcd355b01be4c93e6f417b97e4338252e9",
     "ced3d84eb7aeaabcd18db9714d10b13220ee36cb24aeba1166149d10d4622c3b"},
    {Sample::Mocap, 0.02813, "15e4e6576e70061186ba3444aa592b2173d0ac35f84abf27d300f9f4869679db",
     "be2dbd3dcb4facb8de191267c412b9257f33ec7f7d3ceeae4fb12640c3075a44"},
};

std::string digestOf(const Golden& golden, bool deflate) {
  ArticleSettings settings;
  settings.deflate = deflate;
  const Result<Encoded> encoded = encode(sampleClip(golden.sample), golden.toleranceM, settings);
  return encoded ? sha256(encoded->file).hex() : encoded.error().text();
}

TEST(Golden, BytesOfEveryVersion) {
  for (const Golden& golden : kGolden) {
    const auto what = std::string(article::toString(golden.sample)) + fmt::format(" {} mm", golden.toleranceM * 1000);
    EXPECT_EQ(digestOf(golden, false), golden.stored) << what;
    if (std::string_view(zlibVersion()) == "1.2.13") {
      EXPECT_EQ(digestOf(golden, true), golden.deflated) << what;
    }
  }
}

TEST(Golden, ManyThreadsGiveTheSameBytes) {
  constexpr std::size_t kThreads = 6;
  std::vector<std::vector<std::string>> found(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&found, i] {
      for (const Golden& golden : kGolden) found[i].push_back(digestOf(golden, false));
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& digests : found)
    for (std::size_t i = 0; i < digests.size(); ++i) EXPECT_EQ(digests[i], kGolden[i].stored);
}

}  // namespace
}  // namespace simmer::animation::test
