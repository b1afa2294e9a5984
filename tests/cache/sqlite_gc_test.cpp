#include "tests/cache/store_fixtures.h"
