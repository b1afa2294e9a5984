#include "plugins/animation/clip/exact_math.h"
