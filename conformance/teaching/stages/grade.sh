#!/bin/sh
# Examines every folder of <submissions> up to a stage of the track, one after another, each in a sandbox of its own:
#
#   grade.sh <submissions> <results> <stage>
#
# writes <results>/<name>/score.json, junit.xml and log.txt for each. Needs Linux, root, unshare, setpriv, prlimit, timeout, tar
# and ip. Whoever wants other limits sets them: SECONDS_EACH, MEMORY, MEMORY_TOGETHER, PROCESSES, FILE_SIZE, DISK.
set -eu

if [ $# -ne 3 ] || [ ! -d "$1" ]; then
  echo "usage: grade.sh <submissions> <results> <stage>; <submissions> is a folder of folders, each with an agent-loop.json" >&2
  exit 2
fi
for tool in unshare setpriv prlimit timeout tar ip node; do
  command -v "$tool" >/dev/null || { echo "grade.sh needs $tool, which is not installed" >&2; exit 2; }
done
[ "$(id -u)" = 0 ] || { echo "grade.sh has to be root: it gives the submissions to nobody, and takes the network away" >&2; exit 2; }

here=$(cd "$(dirname "$0")" && pwd)
submissions=$(cd "$1" && pwd)
export submissions
mkdir -p "$2"
results=$(cd "$2" && pwd)
export stage="$3" kit="$here/../../cli/bin.js" start="$here/start-submission.mjs"
# Everything that the kit loads is below this folder, which has to be seen also where it is below one that is hidden.
program=${here%%/node_modules/*}
[ "$program" != "$here" ] || program=$(cd "$here/../../.." && pwd)
export program
export MEMORY="${MEMORY:-2000000000}" MEMORY_TOGETHER="${MEMORY_TOGETHER:-4000000000}" PROCESSES="${PROCESSES:-128}" FILE_SIZE="${FILE_SIZE:-50000000}" DISK="${DISK:-200m}"

# Runs as root in namespaces of its own. The kit stays root, so that a submission can neither end it nor write its score; the
# submission is user 65534, with a copy of itself that is gone with the namespace, and sees no other submission.
examine='
  ip link set lo up
  # Folders that everybody may write to are a way from one submission to the next: nothing can be written but its own folders.
  mount --bind "$PWD" "$PWD"
  cd "$PWD"
  cut -d " " -f 2 /proc/self/mounts | while read -r place; do
    case "$place" in
      /proc | /proc/* | /sys | /sys/* | /dev | /dev/* | "$PWD") ;;
      *) mount -o remount,bind,ro "$place" 2>/dev/null || true ;;
    esac
  done
  mount --bind "$program" /mnt
  for folder in /tmp /var/tmp /dev/shm "$submissions"; do
    if [ -d "$folder" ]; then mount -t tmpfs -o "size=$DISK,mode=1777" none "$folder"; fi
  done
  mkdir -p "$program"
  mount --bind /mnt "$program"
  umount /mnt
  mkdir -m 700 /tmp/loop /tmp/score
  tar -xf - -C /tmp/loop --no-same-owner
  chown -R -h 65534:65534 /tmp/loop
  limits="prlimit --data=$MEMORY --nproc=$PROCESSES --fsize=$FILE_SIZE --core=0"
  nobody="setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all"
  code=0
  node "$kit" test --driver "$limits $nobody node $start /tmp/loop" --stage "$stage" --timeout 2000 \
    --reporter pretty --reporter junit=/tmp/score/junit.xml --score /tmp/score/score.json || code=$?
  cp /tmp/score/* . || true
  exit $code
'

# Memory that processes share counts for none of them alone; the kernel counts it for a group, where it lets one be made.
group=
for place in /sys/fs/cgroup /sys/fs/cgroup/memory; do
  (echo +memory >"$place/cgroup.subtree_control") 2>/dev/null || true
  mkdir "$place/agent-loop-$$" 2>/dev/null || continue
  for limit in memory.max memory.limit_in_bytes; do
    [ -e "$place/agent-loop-$$/$limit" ] || continue
    if (echo "$MEMORY_TOGETHER" >"$place/agent-loop-$$/$limit") 2>/dev/null; then group="$place/agent-loop-$$"; fi
  done
  [ -z "$group" ] || break
  rmdir "$place/agent-loop-$$"
done
[ -n "$group" ] || echo "no group of processes can be made here: the memory of each process is bounded, that of all together is not" >&2
trap '[ -z "$group" ] || rmdir "$group" 2>/dev/null || true' EXIT
export group

for folder in "$submissions"/*/; do
  name=$(basename "$folder")
  if [ -L "${folder%/}" ]; then
    echo "$name: not examined, because it is a link, and may lead to the work of somebody else"
    continue
  fi
  rm -rf "${results:?}/$name"
  mkdir -p "$results/$name"
  code=0
  tar -cf - -C "$folder" . | (
    cd "$results/$name"
    [ -z "$group" ] || sh -c 'echo "$PPID" >"$group/cgroup.procs"'
    exec timeout --kill-after=5 "${SECONDS_EACH:-900}" \
      unshare --net --ipc --pid --fork --kill-child --mount --mount-proc sh -eu -c "$examine" >log.txt 2>&1
  ) || code=$?
  passed=$(node -p 'try { const { passed, of } = JSON.parse(require("fs").readFileSync(0)); `${passed} of ${of} stages` } catch { "no score" }' \
    2>/dev/null <"$results/$name/score.json" || echo "no score")
  echo "$name: $passed, code $code"
done
