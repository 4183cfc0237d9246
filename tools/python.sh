#!/bin/sh
# Run the arguments with Python 3.11 or newer: `python3` if it is new enough, else the newest `python3.N`.
# Each name is tried in every folder of PATH, since those that version managers install may fail.
# An activated .venv is skipped: it may be broken.
set -f
IFS=:
for name in python3 python3.20 python3.19 python3.18 python3.17 python3.16 python3.15 python3.14 python3.13 \
  python3.12 python3.11; do
  for folder in $PATH; do
    case $folder in */.venv/bin) continue ;; esac
    python=$folder/$name
    if [ -x "$python" ] && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      exec "$python" "$@"
    fi
  done
done
echo "This book needs Python 3.11 or newer, but the PATH has no python3 or python3.N of that kind that runs." >&2
exit 1
