# shellcheck shell=bash
# What ./run, ./test and .ci/run share. Who sources this sets `root` to the project's folder first.
: "${root:?}"

say() { printf '%s\n' "$*" >&2; }
die() { say "$*"; exit 3; }

# The packages of the named sections of .packages.
packagesOf() {
  awk -v wanted=" $* " '
    { sub(/#.*/, "") }
    /^\[/ { gsub(/[][ ]/, ""); inside = index(wanted, " " $0 " "); next }
    inside && NF { print $1 }' "$root/.packages"
}

# Those of the named packages that are not installed.
missingOf() {
  dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
    awk -v wanted="$*" '
      $2 == "installed" { have[$1] = 1 }
      END { n = split(wanted, name, " "); for (i = 1; i <= n; ++i) if (!(name[i] in have)) print name[i] }'
}

# Runs a command with its output in a log, which is printed when the command fails.
quietly() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 && return
  local code=$?
  cat "$log" >&2
  return "$code"
}

# Takes the lock of this name for file descriptor 9, so that two builds do not meet; `unlock` gives it back.
lock() {
  mkdir -p "$root/.build"
  exec 9>"$root/.build/$1.lock"
  flock -n 9 && return
  say "waiting for another build of this folder to end"
  flock 9
}
unlock() { exec 9>&-; }

# How to become root: nothing when it is so, sudo when that is there and will not ask in vain; else fails.
privilege() {
  ((EUID == 0)) && return
  command -v sudo >/dev/null || return 1
  [[ -t 0 ]] || sudo -n true 2>/dev/null || return 1
  printf 'sudo\n'
}

aptGet() {
  local become=$1
  shift
  ${become:+"$become"} env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 "$@"
}

installMissing() {
  local become log=$root/.build/install.log
  local command="apt-get install --no-install-recommends $*"
  become=$(privilege) || die "These packages are missing: $*
Neither root nor sudo is at hand to install them. Ask for this, then try again:
  $command"
  say "installing $*"
  # The lists may be absent or old: fetch them when a package is unknown, or when its file is not there any more.
  if apt-cache show --no-all-versions "$@" >/dev/null 2>&1; then
    aptGet "$become" install --no-install-recommends "$@" >"$log" 2>&1 && return
  fi
  quietly "$log" aptGet "$become" update || die "apt-get update failed; see above"
  quietly "$log" aptGet "$become" install --no-install-recommends "$@" || die "this failed: $command"
}

# Installs what is missing of the named sections of .packages. The stamp makes this free when neither the list nor the
# machine's packages have changed since.
installPackages() {
  local status=/var/lib/dpkg/status stamp=$root/.build/packages-${*// /-}.stamp seen packages missing
  if [[ ! -e $status ]]; then
    say "this is no Debian system: the packages of .packages are not checked"
    return
  fi
  seen=$(sha256sum <"$root/.packages")$(stat -c ' %Y' $status)" $HOSTNAME"
  [[ -e $stamp && $(<"$stamp") == "$seen" ]] && return
  lock packages
  mapfile -t packages < <(packagesOf "$@")
  mapfile -t missing < <(missingOf "${packages[@]}")
  ((${#missing[@]} == 0)) || installMissing "${missing[@]}"
  mapfile -t missing < <(missingOf "${packages[@]}")
  ((${#missing[@]} == 0)) || die "still missing after the installation: ${missing[*]}"
  printf '%s\n' "$(sha256sum <"$root/.packages")$(stat -c ' %Y' $status) $HOSTNAME" >"$stamp"
  unlock
}

# Configures (once, and when the presets or the folder's place change) and builds targets of a preset; all when none are
# named. Says nothing when all goes well, but on a first build, which takes minutes.
buildPreset() {
  local preset=$1
  shift
  local folder=$root/.build/$preset
  local log=$root/.build/$preset.log stamp=$folder/configured.stamp
  lock "$preset"
  if [[ ! -e $stamp || $root/CMakePresets.json -nt $stamp || $(<"$stamp") != "$root" ]]; then
    say "building simmer ($preset), which takes some minutes the first time"
    (cd "$root" && quietly "$log" cmake --fresh --preset "$preset") || die "the configuration failed; see above"
    printf '%s\n' "$root" >"$stamp"
  fi
  quietly "$log" ninja -C "$folder" "$@" || die "the build failed; see above"
  unlock
}
