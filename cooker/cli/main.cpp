#include "cooker/cli/app.h"

int main(int argc, char** argv) {
  return simmer::runSimmer(argc, argv);
}
