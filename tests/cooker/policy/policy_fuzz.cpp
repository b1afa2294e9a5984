#include <cstdlib>

#include "cooker/policy/project.h"

using namespace simmer;

namespace {

/// Looks at every recipe that a few names get: nothing of it may crash, whatever the files say.
void resolveAll(const Project& project, const Sidecar* sidecar) {
  ItemDescription run;
  run.id = "Run";
  for (const char* path : {"walk.bvh", "npc/fox.glb", "hero/a/b.gltf", "readme.txt"})
    for (const ItemDescription* item :
         {static_cast<const ItemDescription*>(nullptr), static_cast<const ItemDescription*>(&run)}) {
      const auto recipe = project.resolve(path, sidecar, item);
      // Whatever was accepted has to give a tolerance that a plugin can work with.
      if (recipe && *recipe && !((*recipe)->tolerance.resolve(1.8) > 0 && !(*recipe)->canonicalText().empty()))
        std::abort();
    }
}

}  // namespace

/// A project file, a line "---", a sidecar.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Catalog catalog = Catalog::open({SIMMER_GOOD_PLUGINS});
  const std::string_view text = asText({data, size});
  const std::size_t cut = text.find("\n---\n");
  const auto project = Project::parse(text.substr(0, cut), "/project", catalog);
  if (!project) return 0;
  const Result<Sidecar> sidecar = cut == std::string_view::npos ? fail(ErrorCode::NotFound, "none")
                                                                : Sidecar::parse(text.substr(cut + 5), "sidecar");
  resolveAll(*project, sidecar ? &*sidecar : nullptr);
  return 0;
}
