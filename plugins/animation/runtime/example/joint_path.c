/* Prints where a joint of a cooked clip goes: `joint_path CLIP SKELETON JOINT [COUNT]` gives COUNT moments from the
 * clip's first to its last, a line each: seconds, then x y z in metres. SKELETON may be - where it stands inside the
 * clip. */
#include <simmer_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct File {
  void* bytes;
  size_t size;
} File;

static int fail(const char* name, const char* why) {
  fprintf(stderr, "joint_path: %s: %s\n", name, why);
  return 1;
}

/* What a simmer_status says. */
static const char* const kTexts[] = {"fine",
                                     "the file ends too early",
                                     "neither a clip nor a skeleton",
                                     "made by a newer cooker than this program knows",
                                     "damaged, or of another skeleton",
                                     "the buffer is too small",
                                     "the buffer is not aligned",
                                     "the skeleton is needed"};

static File read_file(const char* name) {
  File file = {NULL, 0};
  FILE* const stream = fopen(name, "rb");
  long size;
  if (stream == NULL) return file;
  if (fseek(stream, 0, SEEK_END) == 0 && (size = ftell(stream)) > 0 && fseek(stream, 0, SEEK_SET) == 0) {
    file.bytes = malloc((size_t)size);
    if (file.bytes != NULL) file.size = fread(file.bytes, 1, (size_t)size, stream);
  }
  fclose(stream);
  return file;
}

static uint32_t find_joint(const simmer_skeleton* skeleton, const char* name) {
  uint32_t joint = 0;
  while (joint < skeleton->joints && strcmp(simmer_skeleton_name(skeleton, joint, NULL), name) != 0) ++joint;
  return joint;
}

static void print_path(const simmer_clip* clip, const simmer_skeleton* skeleton, uint32_t joint, int count) {
  const double duration = simmer_clip_duration(clip);
  int i;
  for (i = 0; i < count; ++i) {
    const double seconds = count > 1 ? duration * i / (count - 1) : 0;
    float matrix[3][4]; /* the last column is the joint's place */
    simmer_clip_sample_world(clip, seconds, skeleton, joint, matrix);
    printf("%.6f %.9g %.9g %.9g\n", seconds, matrix[0][3], matrix[1][3], matrix[2][3]);
  }
}

/* The skeleton's file, or the skeleton inside the clip's. It is read in place. */
static simmer_status open_skeleton(const File* clip, const File* own, simmer_skeleton* skeleton) {
  size_t size = own->size;
  const void* const bytes = own->bytes != NULL ? own->bytes : simmer_clip_file_skeleton(clip->bytes, clip->size, &size);
  if (bytes == NULL) return SIMMER_NEEDS_SKELETON;
  return simmer_skeleton_open(bytes, size, skeleton);
}

int main(int argc, char** argv) {
  File file, own = {NULL, 0};
  simmer_skeleton skeleton;
  simmer_status status;
  const simmer_clip* clip;
  size_t memory;
  void* buffer;
  uint32_t joint;
  if (argc < 4) return fail("usage", "joint_path CLIP SKELETON JOINT [COUNT]");
  file = read_file(argv[1]);
  if (file.bytes == NULL) return fail(argv[1], "cannot be read");
  if (strcmp(argv[2], "-") != 0 && (own = read_file(argv[2])).bytes == NULL) return fail(argv[2], "cannot be read");
  status = open_skeleton(&file, &own, &skeleton);
  if (status != SIMMER_OK) return fail(argv[2], kTexts[status]);

  memory = simmer_clip_memory(file.bytes, file.size);
  buffer = malloc(memory > 0 ? memory : 1); /* malloc aligns to 16 bytes where pointers have 8 */
  if (buffer == NULL) return fail(argv[1], "too large for the memory");
  status = simmer_clip_load_with(file.bytes, file.size, &skeleton, buffer, memory, &clip);
  if (status != SIMMER_OK) return fail(argv[1], kTexts[status]);
  joint = find_joint(&skeleton, argv[3]);
  if (joint == skeleton.joints) return fail(argv[3], "the skeleton has no such joint");
  print_path(clip, &skeleton, joint, argc > 4 ? atoi(argv[4]) : 10);
  free(buffer);
  free(own.bytes);
  free(file.bytes);
  return 0;
}
