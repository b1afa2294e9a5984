#include "cooker/scan/walk.h"

#include <fstream>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cooker/base/file.h"
#include "cooker/scan/stat_cache.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Walk : public testing::Test {
 protected:
  void write(const fs::path& name, std::string_view text = "x") const {
    ASSERT_TRUE(writeFileAtomically(m_root / name, asBytes(text)));
  }
  Tree walk(const WalkOptions& options = {}) const {
    auto tree = walkTree(m_root, options);
    EXPECT_TRUE(tree) << tree.error().text();
    return tree ? std::move(*tree) : Tree();
  }
  static std::vector<std::string> paths(const Tree& tree) {
    std::vector<std::string> all;
    for (const TreeFile& file : tree.files) all.push_back(file.path);
    return all;
  }
  static std::vector<std::string> problems(const Tree& tree) {
    std::vector<std::string> all;
    for (const TreeProblem& problem : tree.problems) all.push_back(problem.path + ": " + problem.message);
    return all;
  }

  const TemporaryFolder m_folder;
  const fs::path m_root = m_folder.path() / "tree";
};

TEST_F(Walk, GivesEveryFileInTheOrderOfBytes) {
  for (const char* name : {"b/x", "a.b", "a/x", "a/b/c/d.bvh", "a-b", "ä", "Z"}) write(name);
  EXPECT_THAT(paths(walk()), ElementsAre("Z", "a-b", "a.b", "a/b/c/d.bvh", "a/x", "b/x", "ä"));
}

TEST_F(Walk, AnEmptyTreeHasNoFiles) {
  fs::create_directories(m_root / "empty/too");
  EXPECT_THAT(paths(walk()), IsEmpty());
  EXPECT_THAT(problems(walk()), IsEmpty());
}

TEST_F(Walk, StampsAreThoseOfTheFile) {
  write("walk.bvh", "12345");
  const timespec times[2] = {{1, 0}, {1'700'000'000, 123'456'789}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (m_root / "walk.bvh").c_str(), times, 0), 0);
  const Tree tree = walk();
  ASSERT_EQ(tree.files.size(), 1u);
  EXPECT_EQ(tree.files[0].stamp.size, 5u);
  EXPECT_EQ(tree.files[0].stamp.mtimeNs, 1'700'000'000'123'456'789);
  EXPECT_EQ(tree.files[0].stamp, stampOf(m_root / "walk.bvh"));
}

TEST_F(Walk, LeavesVersionControlAndTemporaryFilesAlone) {
  for (const char* name : {".git/HEAD", "a/.svn/x", "a/.hg/x", ".simmer-tmp-1-2", "a/.simmer-tmp-3-4"}) write(name);
  write("sub/.git", "gitdir: elsewhere");
  for (const char* name : {".github/x", ".gitignore", "git/x"}) write(name);
  EXPECT_THAT(paths(walk()), ElementsAre(".github/x", ".gitignore", "git/x"));
}

TEST_F(Walk, LeavesSkippedFoldersOut) {
  for (const char* name : {"cooked/a", "cooked2/a", "a/cooked/b", "..x/a", "x"}) write(name);
  WalkOptions options;
  options.skip = {m_root / "cooked", m_folder.path() / "elsewhere", "/", m_root / "not-there", m_root / "a/../..x/"};
  EXPECT_THAT(paths(walk(options)), ElementsAre("a/cooked/b", "cooked2/a", "x"));
}

TEST_F(Walk, ASkippedRootHoldsNothing) {
  write("x");
  WalkOptions options;
  options.skip = {m_root};
  EXPECT_THAT(paths(walk(options)), IsEmpty());
}

TEST_F(Walk, AsksWhatToIgnore) {
  for (const char* name : {"a/x", "a/y.tmp", "b/c/x", "y.tmp"}) write(name);
  std::vector<std::string> asked;
  WalkOptions options;
  options.ignore = [&](std::string_view path) {
    asked.emplace_back(path);
    return path.ends_with(".tmp") || path == "b/";
  };
  EXPECT_THAT(paths(walk(options)), ElementsAre("a/x"));
  EXPECT_THAT(asked, testing::UnorderedElementsAre("a/", "a/x", "a/y.tmp", "b/", "y.tmp")) << "b/ is not looked into";
}

TEST_F(Walk, FollowsLinksToFilesInTheTreeOnly) {
  write("a/real", "12345");
  write("cooked/out");
  ASSERT_TRUE(writeFileAtomically(m_folder.path() / "outside", asBytes("x")));
  ASSERT_TRUE(writeFileAtomically(m_folder.path() / "tree2", asBytes("x")));
  fs::create_directory(m_root / "links");
  fs::create_symlink("../a/real", m_root / "links/inside");
  fs::create_symlink("inside", m_root / "links/twice");
  fs::create_symlink(m_root / "a/real", m_root / "links/absolute");
  fs::create_symlink("../../outside", m_root / "links/outside");
  fs::create_symlink("../../tree2", m_root / "links/begins_like_the_root");
  fs::create_symlink("../cooked/out", m_root / "links/skipped");
  fs::create_symlink("nowhere", m_root / "links/dangling");
  fs::create_symlink("loop", m_root / "links/loop");
  fs::create_directory_symlink("../a", m_root / "links/folder");
  fs::create_directory_symlink("..", m_root / "links/up");
  WalkOptions options;
  options.skip = {m_root / "cooked"};
  const Tree tree = walk(options);
  EXPECT_THAT(paths(tree), ElementsAre("a/real", "links/absolute", "links/inside", "links/twice"));
  EXPECT_THAT(problems(tree), IsEmpty());
  for (const TreeFile& file : tree.files) EXPECT_EQ(file.stamp, tree.files[0].stamp) << file.path;
}

TEST_F(Walk, TheRootMayBeALink) {
  write("x");
  fs::create_directory_symlink("tree", m_folder.path() / "link");
  const auto tree = walkTree(m_folder.path() / "link", {});
  ASSERT_TRUE(tree);
  EXPECT_THAT(paths(*tree), ElementsAre("x"));
}

TEST_F(Walk, LeavesWhatIsNoFileAlone) {
  write("x");
  ASSERT_EQ(::mkfifo((m_root / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(paths(walk()), ElementsAre("x"));
}

TEST_F(Walk, TakesAnyUtf8NameAndNamesTheOthers) {
  write("a\nb");
  write("größe \"'$*");
  write(
      "gr\xf6\xdf"
      "e/x");
  write("a/w\xe4lk.bvh");
  const Tree tree = walk();
  EXPECT_THAT(paths(tree), ElementsAre("a\nb", "größe \"'$*"));
  EXPECT_THAT(problems(tree), ElementsAre("a/w\\xe4lk.bvh: the name is not UTF-8, so it is left alone",
                                          "gr\\xf6\\xdfe: the name is not UTF-8, so it is left alone"));
}

/// Takes the rights of root away for a while, since root may read every folder.
class WithoutRoot {
 public:
  WithoutRoot() : m_wasRoot(::geteuid() == 0) {
    if (m_wasRoot) m_done = ::seteuid(kNobody) == 0;
  }
  ~WithoutRoot() {
    if (m_wasRoot && m_done) {
      EXPECT_EQ(::seteuid(0), 0);
    }
  }
  WithoutRoot(const WithoutRoot&) = delete;
  WithoutRoot& operator=(const WithoutRoot&) = delete;
  bool done() const { return m_done; }

 private:
  static constexpr uid_t kNobody = 65534;
  bool m_wasRoot;
  bool m_done = true;
};

TEST_F(Walk, AFolderThatCanNotBeReadIsAProblem) {
  write("a/x");
  write("b/x");
  for (const fs::path& folder : {m_folder.path(), m_root, m_root / "b"})
    fs::permissions(folder, static_cast<fs::perms>(0755));
  fs::permissions(m_root / "a", fs::perms::none);
  Tree tree;
  {
    const WithoutRoot nobody;
    ASSERT_TRUE(nobody.done());
    tree = walk();
  }
  fs::permissions(m_root / "a", fs::perms::owner_all);
  EXPECT_THAT(paths(tree), ElementsAre("b/x"));
  EXPECT_THAT(problems(tree), ElementsAre("a/: can not be read: Permission denied"));
}

TEST_F(Walk, ARootThatIsNotThereIsAnError) {
  const auto absent = walkTree(m_root / "absent", {});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::NotFound);
  write("file");
  EXPECT_EQ(walkTree(m_root / "file", {}).error().code, ErrorCode::NotFound);
}

/// Makes folders inside each other, each from within the one before: their path may be longer than any call takes.
void makeDeep(const fs::path& root, const std::string& name, int levels) {
  fs::create_directories(root);
  int at = ::open(root.c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < levels; ++i) {
    ASSERT_EQ(::mkdirat(at, name.c_str(), 0700), 0);
    const int next = ::openat(at, name.c_str(), O_RDONLY | O_DIRECTORY);
    ASSERT_GE(next, 0);
    ::close(at);
    at = next;
  }
  const int file = ::openat(at, "x", O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(file, 0);
  ::close(file);
  ::close(at);
}

TEST_F(Walk, AThousandFoldersDeep) {
  makeDeep(m_root, "d", 1000);
  write("y");
  const Tree tree = walk();
  ASSERT_EQ(tree.files.size(), 2u);
  EXPECT_EQ(tree.files[0].path.size(), 2001u);
  EXPECT_TRUE(tree.files[0].path.ends_with("d/d/x"));
  EXPECT_THAT(problems(tree), IsEmpty());
}

TEST_F(Walk, APathThatNothingCouldOpenIsAProblem) {
  makeDeep(m_root, std::string(200, 'd'), 30);
  write("y");
  const Tree tree = walk();
  EXPECT_THAT(paths(tree), ElementsAre("y"));
  ASSERT_EQ(tree.problems.size(), 1u);
  EXPECT_THAT(tree.problems[0].message, HasSubstr("more than the system opens (4095)"));
}

TEST_F(Walk, DigestChangesWithAnyPathOrStamp) {
  write("a", "1");
  write("b", "2");
  const Tree tree = walk();
  EXPECT_EQ(tree.digest(), walk().digest());
  const auto changed = [&](auto change) {
    Tree other = tree;
    change(other);
    return other.digest();
  };
  EXPECT_NE(tree.digest(), changed([](Tree& t) { t.files[0].path = "c"; }));
  EXPECT_NE(tree.digest(), changed([](Tree& t) { t.files[0].stamp.size++; }));
  EXPECT_NE(tree.digest(), changed([](Tree& t) { t.files[0].stamp.mtimeNs++; }));
  EXPECT_NE(tree.digest(), changed([](Tree& t) { t.files[0].stamp.ctimeNs++; }));
  EXPECT_NE(tree.digest(), changed([](Tree& t) { t.files[0].stamp.inode++; }));
  EXPECT_NE(tree.digest(), changed([](Tree& t) { t.files.pop_back(); }));
}

TEST(WalkThreads, FindTheSame) {
  const test::TemporaryFolder folder;
  for (int i = 0; i < 300; ++i) {
    const auto file = folder.path() / fmt::format("a{}/b{}/c{}/f{}", i % 7, i % 5, i % 3, i);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << i;
  }
  const auto one = walkTree(folder.path(), {});
  ASSERT_TRUE(one);
  ASSERT_EQ(one->files.size(), 300U);
  for (const unsigned threads : {2U, 8U}) {
    WalkOptions options;
    options.threads = threads;
    EXPECT_EQ(walkTree(folder.path(), options)->digest(), one->digest());
  }
}

}  // namespace
}  // namespace simmer::test
