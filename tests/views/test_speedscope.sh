#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# -f speedscope, held against its schema, and opened by its page in Chromium.
# shellcheck source=tests/views/reader.sh
. "$(dirname "$0")/reader.sh"
need node npm chromium
(cd "$top" && tests/views/npm ajv speedscope) || exit 1
export HOME="$dir" NODE_PATH="$BUILD/npm/node_modules"

"$make_profile" speedscope >a.json
"$make_profile" speedscope empty >empty.json
"$make_profile" folded >a.folded
cat >check.js <<'END'
const fs = require('fs'), Ajv = require('ajv');
const schema = JSON.parse(fs.readFileSync(process.argv[2]));
const valid = new Ajv({ strict: false }).compile(schema);
const file = JSON.parse(fs.readFileSync(process.argv[3]));
if (!valid(file))
	console.log(JSON.stringify(valid.errors));
for (const p of file.profiles)
	console.log(p.name, p.unit, p.weights.length === p.samples.length,
		p.weights.reduce((a, b) => a + b, 0) === p.endValue - p.startValue, p.endValue);
END
schema=$(find "$BUILD/npm/node_modules/speedscope" -name '*schema*.json' | head -n 1)
same 'the schema, and a profile for each thread and event' \
	'wish (cpu-clock) 100/100 nanoseconds true true 860000000
R (cpu-clock) 200/200 nanoseconds true true 720000000
sh </script> (cpu-clock) 300/300 nanoseconds true true 140000000
worker (cpu-clock) 100/101 nanoseconds true true 280000000
R (page-faults) 200/200 none true true 150
wish (page-faults) 100/100 none true true 50' "$(node check.js "$schema" a.json)"
node "$here/speedscope.js" "$BUILD/npm/node_modules/speedscope/dist/release/index.html" a.json >page
same 'the page opens it, without an error' '' "$(grep -v '^title ' page)"
same 'and shows the first thread' 1 "$(grep -c '^title .*wish.* - speedscope$' page)"
refuses speedscope
exit $failed
