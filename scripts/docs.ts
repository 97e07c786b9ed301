// `npm run docs`: writes the pages, and the parts of pages, that follow from the code. A test compares them.
import { writeFileSync } from 'node:fs'
import { generatedPages } from './docs/pages.ts'

for (const [name, text] of Object.entries(await generatedPages())) {
  writeFileSync(new URL(`../${name}`, import.meta.url), text)
  process.stderr.write(`wrote ${name}\n`)
}
