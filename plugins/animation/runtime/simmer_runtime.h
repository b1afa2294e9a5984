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
  SIMMER_NOT_A_CLIP = 2, /* the first bytes are not a clip's */
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

/* A loaded clip. Lives in the caller's buffer; nothing has to be freed. */
typedef struct simmer_clip simmer_clip;

/* The buffer that simmer_clip_load() needs, in bytes; 0 when the bytes are no clip (simmer_clip_load() says why). */
size_t simmer_clip_memory(const void* bytes, size_t size);

/* Validates everything once and builds the clip in `buffer`, which is 16-byte aligned and stays where it is as long as
 * the clip is used. `bytes` may go away afterwards. On SIMMER_OK, *clip points into the buffer. Any number of threads
 * may sample one clip. */
simmer_status simmer_clip_load(const void* bytes, size_t size, void* buffer, size_t buffer_size,
                               const simmer_clip** clip);

uint32_t simmer_clip_joints(const simmer_clip* clip);
uint32_t simmer_clip_frames(const simmer_clip* clip);
uint32_t simmer_clip_scalars(const simmer_clip* clip);
double simmer_clip_rate(const simmer_clip* clip);     /* frames a second */
double simmer_clip_duration(const simmer_clip* clip); /* seconds */
/* SHA-256 of the skeleton that the clip was cooked for, 32 bytes. */
const uint8_t* simmer_clip_skeleton_digest(const simmer_clip* clip);

/* Samples never fail. `seconds` is clamped to the clip; NaN counts as 0. A time within a millionth of a frame of a
 * frame is that frame. */
void simmer_clip_sample_pose(const simmer_clip* clip, double seconds, simmer_transform* joints);
/* One joint's local transform; an index past the last joint gives the identity. */
void simmer_clip_sample_joint(const simmer_clip* clip, double seconds, uint32_t joint, simmer_transform* out);
/* One scalar track (morph weight); an index past the last gives 0. */
float simmer_clip_sample_scalar(const simmer_clip* clip, double seconds, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
