#include "plugins/animation/import/gltf_uri.h"

#include <gtest/gtest.h>

namespace simmer::animation::gltf {
namespace {

TEST(GltfUri, PathsAreDecodedAndCleaned) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"a.bin", "a.bin"},
      {"./data/a%20b.bin", "data/a b.bin"},
      {"data\\a.bin", "data/a.bin"},
      {"a/./b/../c.bin", "a/c.bin"},
      {"%E8%8C%B6.bin", "茶.bin"},
      {"100%.bin", "100%.bin"},
      {"100%2", "100%2"},
      {"a%2Fb.bin", "a/b.bin"},
      {"../a.bin", "../a.bin"},  // the reader knows whether that is still in the tree
      {"a/%2e%2e/%2e%2e/b.bin", "../b.bin"},
      {"dir:name/a.bin", ""},
  };
  for (const auto& [uri, path] : cases) {
    const auto result = relativePath(uri);
    if (path.empty()) {
      EXPECT_FALSE(result) << uri;
    } else {
      ASSERT_TRUE(result) << uri << ": " << result.error().text();
      EXPECT_EQ(*result, path);
    }
  }
}

TEST(GltfUri, WhatIsNoPathBesideTheFileIsRefused) {
  struct {
    std::string_view uri;
    ErrorCode code;
    std::string_view message;
  } cases[] = {
      {"http://a/b.bin", ErrorCode::Unsupported,
       "'http://a/b.bin' has the scheme 'http', expected a path beside the file"},
      {"file:///etc/passwd", ErrorCode::Unsupported,
       "'file:///etc/passwd' has the scheme 'file', expected a path beside the file"},
      {"C:\\a.bin", ErrorCode::Unsupported, "'C:\\a.bin' has the scheme 'C', expected a path beside the file"},
      {"C%3A/a.bin", ErrorCode::InvalidInput, "'C%3A/a.bin' is an absolute path, expected one beside the file"},
      {"/a.bin", ErrorCode::InvalidInput, "'/a.bin' is an absolute path, expected one beside the file"},
      {"%2Fa.bin", ErrorCode::InvalidInput, "'%2Fa.bin' is an absolute path, expected one beside the file"},
      {"\\\\host\\a.bin", ErrorCode::InvalidInput,
       "'\\\\host\\a.bin' is an absolute path, expected one beside the file"},
      {"a%00.bin", ErrorCode::InvalidInput, "'a%00.bin' holds a zero byte, expected a path beside the file"},
      {"", ErrorCode::InvalidInput, "'' names no file"},
      {"a/..", ErrorCode::InvalidInput, "'a/..' names no file"},
  };
  for (const auto& [uri, code, message] : cases) {
    const auto result = relativePath(uri);
    ASSERT_FALSE(result) << uri;
    EXPECT_EQ(result.error().code, code) << uri;
    EXPECT_EQ(result.error().message, message);
  }
}

TEST(GltfUri, Base64IsDecoded) {
  // The vectors of RFC 4648, with and without padding.
  const std::pair<std::string_view, std::string_view> cases[] = {{"", ""},
                                                                 {"Zg==", "f"},
                                                                 {"Zg", "f"},
                                                                 {"Zm8=", "fo"},
                                                                 {"Zm9v", "foo"},
                                                                 {"Zm9vYg==", "foob"},
                                                                 {"Zm9vYmE=", "fooba"},
                                                                 {"Zm9vYmFy", "foobar"},
                                                                 {"-_-_", "\xFB\xFF\xBF"}};
  for (const auto& [text, bytes] : cases) {
    const auto decoded = decodeDataUri("data:application/octet-stream;base64," + std::string(text));
    ASSERT_TRUE(decoded) << text;
    EXPECT_EQ(asText(*decoded), bytes);
  }
  EXPECT_EQ(decodeDataUri("data:;base64,Zm9vY").error().message, "the base64 data end in the middle of a byte");
  EXPECT_EQ(decodeDataUri("data:;base64,Zm 9").error().message, "character 3 of the data is ' ', expected base64");
  EXPECT_EQ(decodeDataUri("data:nothing").error().message, "the data URI 'data:nothing' has no comma before its data");
}

}  // namespace
}  // namespace simmer::animation::gltf
