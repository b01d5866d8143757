#!/bin/sh
# Every launch record under tests/data through `gluond emit`: the source and ttgir that Triton made, byte for byte, and an .error where
# Triton rejects. A file `release` beside the records names the release of Triton that they are for.
#   emit_goldens.sh GLUOND DATA_DIR
set -u
gluond=$1 data=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
same=0 bad=0
for records in $(find "$data" -name '*.launches.jsonl' | sort); do
  golden=$(dirname "$records")/golden
  release=$(cat "$(dirname "$records")/release" 2>/dev/null || echo 3.9)
  for stage in source ttgir; do "$gluond" emit "$records" --triton "$release" --stage $stage -o "$out" >/dev/null 2>"$out/stderr"; done
  for id in $(sed 's/^{"id": *"\([^"]*\)".*/\1/' "$records"); do
    for stage in source ttgir; do
      [ -e "$golden/$id.$stage" ] || continue
      if cmp -s "$golden/$id.$stage" "$out/$id.$stage"; then same=$((same + 1))
      else bad=$((bad + 1)); echo "$id: $stage is not Triton's"; diff "$golden/$id.$stage" "$out/$id.$stage" 2>&1 | head -6; fi
    done
    if [ -e "$golden/$id.error" ]; then
      if [ -e "$out/$id.error" ]; then same=$((same + 1))
      else bad=$((bad + 1)); echo "$id: Triton rejects it, gluond does not"; fi
    elif [ -e "$out/$id.error" ]; then
      bad=$((bad + 1)); echo "$id: a false error"; head -c 300 "$out/$id.error"; echo
    fi
  done
done
echo "$same outputs are Triton's, $bad are not"
[ "$bad" = 0 ] && [ "$same" -gt 0 ]
