// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
//
// What speedscope's own page says of a file:  speedscope.js INDEX.HTML FILE
//
// A line with the page's title once it shows the file, then what went wrong.
'use strict';
const fs = require('fs');
const { open } = require('./chromium.js');
const [index, file] = process.argv.slice(2);

(async () => {
	// The page runs a script that its address names, and that has the file.
	const script = require('path').resolve(`${file}.js`);
	const bytes = fs.readFileSync(file).toString('base64');
	fs.writeFileSync(script, `speedscope.loadFileFromBase64("a.json", "${bytes}")`);
	const page = await open(`file://${index}#localProfilePath=${script.slice(1)}`);
	let title = '';

	for (let i = 0; i < 100 && !/ - speedscope$/.test(title); i++) {
		await new Promise(done => setTimeout(done, 100));
		title = await page.run('document.title');
	}
	console.log('title', title);
	page.errors.forEach(e => console.log(e));
	page.close();
})();
