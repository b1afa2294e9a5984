#ifndef SIMMER_RUNTIME_H
#define SIMMER_RUNTIME_H

/* The game's side of Simmer: reads a cooked clip and samples it. C++17 inside, a C interface outside, the standard
 * library only, no heap, no exceptions, no global state. FORMAT.md beside this file specifies the bytes. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum simmer_status {
  SIMMER_OK = 0,
  SIMMER_TRUNCATED = 1,  /* fewer bytes than the header says */
  SIMMER_NOT_A_CLIP = 2, /* the first bytes are not a clip's (or a skeleton's) */
  SIMMER_VERSION = 3,    /* a format or codec version this runtime does not know */
  SIMMER_MALFORMED = 4,  /* the bytes contradict themselves */
  SIMMER_BUFFER_TOO_SMALL = 5,
  SIMMER_MISALIGNED = 6 /* the buffer is not aligned to 16 bytes */
} simmer_status;

/* Local transform, parent from child = T * R * S, metres, unit quaternion x y z w. */
typedef struct simmer_transform {
  float translation[3];
  float rotation[4];
  float scale[3];
} simmer_transform;

/* ---- clips ---- */

/* A loaded clip. Lives in the caller's buffer; nothing has to be freed. */
typedef struct simmer_clip simmer_clip;

/* The buffer that simmer_clip_load() needs, in bytes; 0 when the bytes are no clip (simmer_clip_load() says why).
 * Looks at the header alone. Never more than a fixed multiple of what the file can hold. */
size_t simmer_clip_memory(const void* bytes, size_t size);

/* Validates everything once and builds the clip in `buffer`, which is 16-byte aligned and stays where it is as long as
 * the clip is used. `bytes` may go away afterwards. Takes about 40 KB of stack. On SIMMER_OK, *clip points into the
 * buffer; else it is null. Any number of threads may sample one clip. */
simmer_status simmer_clip_load(const void* bytes, size_t size, void* buffer, size_t buffer_size,
                               const simmer_clip** clip);

uint32_t simmer_clip_joints(const simmer_clip* clip);
uint32_t simmer_clip_frames(const simmer_clip* clip);
uint32_t simmer_clip_scalars(const simmer_clip* clip);
double simmer_clip_rate(const simmer_clip* clip);     /* frames a second */
double simmer_clip_duration(const simmer_clip* clip); /* seconds; 0 for one frame */
/* Digest of the skeleton that the clip was cooked for, 32 bytes: simmer_skeleton_digest() of that skeleton. */
const uint8_t* simmer_clip_skeleton_digest(const simmer_clip* clip);
/* A scalar track's name, UTF-8 and zero-terminated; "" for an index past the last. */
const char* simmer_clip_scalar_name(const simmer_clip* clip, uint32_t index);

/* Samples never fail, and what they give is finite. `seconds` is clamped to the clip; NaN counts as 0. A time within a
 * millionth of a frame of a frame is that frame. */
void simmer_clip_sample_pose(const simmer_clip* clip, double seconds, simmer_transform* joints);
/* One joint's local transform; an index past the last joint gives the identity. */
void simmer_clip_sample_joint(const simmer_clip* clip, double seconds, uint32_t joint, simmer_transform* out);
/* One scalar track (morph weight); an index past the last gives 0. */
float simmer_clip_sample_scalar(const simmer_clip* clip, double seconds, uint32_t index);

/* The skeleton file that stands inside a self-contained clip *file* (not the loaded clip): a pointer into `bytes` and
 * its size; null and 0 when there is none. */
const void* simmer_clip_file_skeleton(const void* bytes, size_t size, size_t* skeleton_size);

/* ---- skeletons ---- */

/* A skeleton read in place: a view of the file's bytes, which have to stay as long as it is used. */
typedef struct simmer_skeleton {
  const uint8_t* bytes;
  uint32_t joints;
  uint32_t has_radii;
} simmer_skeleton;

/* Validates the bytes of a .skeleton file; on SIMMER_OK every function below may be called with joints below `joints`.
 */
simmer_status simmer_skeleton_open(const void* bytes, size_t size, simmer_skeleton* skeleton);
const uint8_t* simmer_skeleton_digest(const simmer_skeleton* skeleton); /* 32 bytes */
/* Index of the parent, which is smaller than the joint's own; -1 for a root. */
int32_t simmer_skeleton_parent(const simmer_skeleton* skeleton, uint32_t joint);
/* UTF-8, zero-terminated; `length` (may be null) gets its bytes without the zero. */
const char* simmer_skeleton_name(const simmer_skeleton* skeleton, uint32_t joint, size_t* length);
void simmer_skeleton_rest(const simmer_skeleton* skeleton, uint32_t joint, simmer_transform* out);
/* Largest distance of the joint's skin from its origin in the rest pose, metres; 0 where it is not known. */
float simmer_skeleton_radius(const simmer_skeleton* skeleton, uint32_t joint);

#ifdef __cplusplus
}
#endif

#endif
