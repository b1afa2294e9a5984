#ifndef SIMMER_RUNTIME_H
#define SIMMER_RUNTIME_H

/* The game's side of Simmer: reads a cooked clip and samples it. C++17 inside, a C interface outside, the standard
 * library only, no heap, no exceptions, no global state. FORMAT.md beside this file specifies the bytes. */

#include <stddef.h>
#include <stdint.h>

#define SIMMER_RUNTIME_VERSION "0.1.0"

#if defined(__GNUC__)
#pragma GCC visibility push(default) /* all that a shared library shows */
#endif
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
  SIMMER_MISALIGNED = 6,    /* the buffer is not aligned to 16 bytes */
  SIMMER_NEEDS_SKELETON = 7 /* what does not move stands in the skeleton: use simmer_clip_load_with() */
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

typedef struct simmer_skeleton simmer_skeleton;

/* As simmer_clip_load(), with the skeleton that the clip was cooked for; null where there is none at hand. A clip that
 * leaves the rest pose to its skeleton needs it, unless the skeleton stands inside the clip; all others do not.
 * SIMMER_MALFORMED when it is not the skeleton that the clip names (its digest or number of joints). What is needed of
 * it is copied. */
simmer_status simmer_clip_load_with(const void* bytes, size_t size, const simmer_skeleton* skeleton, void* buffer,
                                    size_t buffer_size, const simmer_clip** clip);

uint32_t simmer_clip_joints(const simmer_clip* clip);
uint32_t simmer_clip_frames(const simmer_clip* clip);
uint32_t simmer_clip_scalars(const simmer_clip* clip);
double simmer_clip_rate(const simmer_clip* clip);     /* frames a second */
double simmer_clip_duration(const simmer_clip* clip); /* seconds; 0 for one frame */
/* Digest of the skeleton that the clip was cooked for, 32 bytes: simmer_skeleton_digest() of that skeleton. Zeros when
 * the clip names none. */
const uint8_t* simmer_clip_skeleton_digest(const simmer_clip* clip);
/* A scalar track's name, UTF-8 and zero-terminated; "" for an index past the last. */
const char* simmer_clip_scalar_name(const simmer_clip* clip, uint32_t index);

/* Samples never fail, and what they give is finite. `seconds` is clamped to the clip; NaN counts as 0. A time within a
 * millionth of a frame of a frame is that frame. All functions give the same bits for the same joint and time, on every
 * machine. There is no state between calls: any order of times costs the same.
 *
 * To loop, sample at simmer_clip_loop_time(clip, seconds). */

/* The time of a loop: `seconds` wrapped into [0, duration). A clip that loops ends with the pose it begins with, so its
 * last frame is the first of the next round. Times before 0 count backwards from the end. 0 for a clip of one frame and
 * for what is no finite time. */
double simmer_clip_loop_time(const simmer_clip* clip, double seconds);

/* Every joint's local transform; `joints` has one element for each. */
void simmer_clip_sample_pose(const simmer_clip* clip, double seconds, simmer_transform* joints);
/* The local transforms of some joints, for levels of detail: joint i where bit i % 32 of mask[i / 32] is set. `mask`
 * has a bit for each joint and `joints` an element for each; those of the other joints are not touched. */
void simmer_clip_sample_joints(const simmer_clip* clip, double seconds, const uint32_t* mask, simmer_transform* joints);
/* One joint's local transform; an index past the last joint gives the identity. */
void simmer_clip_sample_joint(const simmer_clip* clip, double seconds, uint32_t joint, simmer_transform* out);
/* A joint and its parents, nothing else: for attachments, feet, cameras and aim. `skeleton` is the one that the clip
 * was cooked for; with another number of joints, or an index past the last, these give 0 (and the identity). */

/* The local transforms from the root, chain[0], down to `joint`. Gives the joint's depth: how many there are. Where
 * that is more than `capacity`, nothing is written. `joints` (may be null) gets the index of each. */
size_t simmer_clip_sample_chain(const simmer_clip* clip, double seconds, const simmer_skeleton* skeleton,
                                uint32_t joint, size_t capacity, simmer_transform* chain, uint32_t* joints);
/* Where the joint is in the space of its root's parent: the product of the chain, `matrix[row][column]`, a point is
 * matrix * (x y z 1). Scales of parents are inherited, so there may be shear. Computed in double, rounded once. Gives
 * the joint's depth as above. */
size_t simmer_clip_sample_world(const simmer_clip* clip, double seconds, const simmer_skeleton* skeleton,
                                uint32_t joint, float matrix[3][4]);
/* One scalar track (morph weight); an index past the last gives 0. */
float simmer_clip_sample_scalar(const simmer_clip* clip, double seconds, uint32_t index);

/* The skeleton file that stands inside a self-contained clip *file* (not the loaded clip): a pointer into `bytes` and
 * its size; null and 0 when there is none. */
const void* simmer_clip_file_skeleton(const void* bytes, size_t size, size_t* skeleton_size);

/* ---- skeletons ---- */

/* A skeleton read in place: a view of the file's bytes, which have to stay as long as it is used. */
struct simmer_skeleton {
  const uint8_t* bytes;
  uint32_t joints;
  uint32_t has_radii;
};

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
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
