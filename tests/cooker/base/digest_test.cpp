#include "cooker/base/digest.h"

#include <gtest/gtest.h>

namespace simmer {
namespace {

// FIPS 180-2, appendix B, and the empty message.
TEST(Sha256, MeetsThePublishedValues) {
  EXPECT_EQ(sha256("").hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc").hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").hex(),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')).hex(),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Hasher, PiecesGiveTheSameAsTheWhole) {
  const std::string text(1000, 'x');
  for (const std::size_t cut : {0u, 1u, 63u, 64u, 65u, 999u, 1000u}) {
    Hasher hasher;
    hasher.add(asBytes(std::string_view(text).substr(0, cut)));
    Hasher moved = std::move(hasher);
    moved.add(asBytes(std::string_view(text).substr(cut)));
    EXPECT_EQ(moved.finish(), sha256(text)) << cut;
  }
}

TEST(Digest, HexIsReadBack) {
  const Digest digest = sha256("abc");
  EXPECT_EQ(Digest::fromHex(digest.hex()), digest);
}

TEST(Digest, WrongHexIsRefusedWithWhatIsWrong) {
  const std::string hex = sha256("abc").hex();
  EXPECT_EQ(Digest::fromHex(hex.substr(1)).error().message,
            "a digest has 64 hexadecimal digits, this has 63 characters");
  EXPECT_EQ(Digest::fromHex("G" + hex.substr(1)).error().message, "'G' is not a lower-case hexadecimal digit");
  EXPECT_EQ(Digest::fromHex("A" + hex.substr(1)).error().code, ErrorCode::InvalidInput);
  EXPECT_FALSE(Digest::fromHex(""));
}

TEST(Digest, BytesMustBe32) {
  const Digest digest = sha256("abc");
  EXPECT_EQ(Digest::fromBytes(digest.bytes), digest);
  const auto wrong = Digest::fromBytes(ByteView(digest.bytes).first(31));
  EXPECT_EQ(wrong.error(), (Error{ErrorCode::Corrupt, "a digest has 32 bytes, this has 31", {}}));
}

}  // namespace
}  // namespace simmer
