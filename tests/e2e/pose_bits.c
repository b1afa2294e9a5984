/* Prints a digest of every bit that the runtime gives for a clip: `pose_bits CLIP [SKELETON]`. Two builds of the
 * runtime that print the same text are the same. */
#include <simmer_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMoments = 41 };

static void* read_file(const char* name, size_t* size) {
  static const size_t kRoom = 1 << 20;
  FILE* const stream = fopen(name, "rb");
  void* const bytes = malloc(kRoom);
  if (stream == NULL || bytes == NULL) exit(2);
  *size = fread(bytes, 1, kRoom, stream);
  fclose(stream);
  return bytes;
}

/* FNV-1a, 64 bits. */
static uint64_t digest(const void* data, size_t size) {
  const unsigned char* const bytes = data;
  uint64_t hash = 14695981039346656037u;
  size_t i;
  for (i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

static void print_moment(const simmer_clip* clip, const simmer_skeleton* skeleton, double seconds,
                         simmer_transform* pose) {
  const uint32_t joints = simmer_clip_joints(clip);
  const size_t bytes = joints * sizeof *pose;
  uint32_t i, mask[64];
  float matrix[3][4], sum = 0;
  simmer_clip_sample_pose(clip, seconds, pose);
  printf("%.17g pose %016llx", seconds, (unsigned long long)digest(pose, bytes));
  for (i = 0; i < joints; ++i) simmer_clip_sample_joint(clip, seconds, i, &pose[i]);
  printf(" joints %016llx", (unsigned long long)digest(pose, bytes));
  memset(mask, 0xB5, sizeof mask);
  memset(pose, 0, bytes);
  simmer_clip_sample_joints(clip, seconds, mask, pose);
  printf(" mask %016llx", (unsigned long long)digest(pose, bytes));
  for (i = 0; i < simmer_clip_scalars(clip); ++i) sum += simmer_clip_sample_scalar(clip, seconds, i);
  printf(" scalars %a", sum);
  if (skeleton != NULL && joints > 0) {
    simmer_clip_sample_world(clip, seconds, skeleton, joints - 1, matrix);
    printf(" world %016llx", (unsigned long long)digest(matrix, sizeof matrix));
  }
  printf("\n");
}

int main(int argc, char** argv) {
  size_t size = 0, skeleton_size = 0, memory;
  simmer_skeleton skeleton;
  const simmer_skeleton* rest = NULL;
  const simmer_clip* clip;
  simmer_transform* pose;
  void* buffer;
  void* bytes;
  int i, status;
  if (argc < 2) return 2;
  bytes = read_file(argv[1], &size);
  if (argc > 2) {
    void* const skeleton_bytes = read_file(argv[2], &skeleton_size);
    if (simmer_skeleton_open(skeleton_bytes, skeleton_size, &skeleton) != SIMMER_OK) return 2;
    rest = &skeleton;
  }
  memory = simmer_clip_memory(bytes, size);
  buffer = malloc(memory > 0 ? memory : 1);
  status = (int)simmer_clip_load_with(bytes, size, rest, buffer, memory, &clip);
  printf("status %d memory %lu\n", status, (unsigned long)memory);
  if (status != SIMMER_OK) return 0;
  if (simmer_clip_joints(clip) > 2048) return 2;
  pose = malloc((simmer_clip_joints(clip) + 1) * sizeof *pose);
  for (i = 0; i < kMoments; ++i) print_moment(clip, rest, simmer_clip_duration(clip) * i / (kMoments - 1), pose);
  return 0;
}
