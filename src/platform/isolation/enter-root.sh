# Runs a command in a root of its own that holds the given files and nothing else.
#   enter-root.sh ROOT USER FOLDERS FILES FSTAB SPACE BYTES PROC COMMAND...
# ROOT: where to mount it. USER: a user id, or "same". FOLDERS, FILES: the mount points below it,
# one a line. SPACE: a folder in memory that the user may write, of so many BYTES, or nothing.
# PROC: "proc" to see the command's own processes, where the kernel permits it, or nothing.
# This shell stays as the first process of its namespaces: they end with it.
set -ef
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
IFS='
'
root=$1 user=$2 folders=$3 files=$4 table=$5 space=$6 bytes=$7 proc=$8
shift 8

mount -t tmpfs -o mode=755,size=1m,nosuid,nodev root "$root"
cd "$root"
# first, because other mount points may stand in it
if [ -n "$space" ]; then
  mkdir -p "$space"
  mount -t tmpfs -o "mode=700,size=$bytes,nr_inodes=10k,nosuid,nodev" space "$space"
  [ "$user" = same ] || chown "$user:$user" "$space"
fi
mkdir -p $folders
for file in $files; do : >"$file"; done
printf %s "$table" >.fstab
mount --all --fstab .fstab
: >.fstab
if [ -n "$proc" ]; then
  mkdir -p proc
  mount -t proc -o nosuid,nodev,noexec proc proc 2>/dev/null || :
fi
mount -o remount,bind,ro,nosuid,nodev "$root"

ulimit -c 0
if [ "$user" = same ]; then
  # a second user namespace, in which the command has no capability
  setpriv --no-new-privs unshare --user --map-user=65534 --map-group=65534 \
    --root="$root" --wd=/ -- "$@" || exit $?
else
  setpriv --no-new-privs chroot --userspec="$user:$user" --groups= "$root" "$@" || exit $?
fi
