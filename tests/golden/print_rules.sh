# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# The built-in rules, as they are printed; and as they are read, when they are given alone.
file=$(mktemp)
jpbpf report --print-rules | tee "$file"
jpbpf report --no-rules --rules "$file" --print-rules | cmp - "$file" && echo the same
rm -f "$file"
