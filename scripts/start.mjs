// `npm start`: from a fresh clone to a serving process. Everything after `npm start --` goes to `quarry serve`.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, isBuilt } from './build.mjs'
import { ROOT, say } from './command.mjs'
import { ensureInstalled, requireSupportedNode } from './install.mjs'

requireSupportedNode()
await ensureInstalled()
if (!isBuilt()) {
  say('building')
  if (!(await build())) process.exit(1)
}
// In this very process: signals reach the server without a middleman.
const main = join(ROOT, 'dist', 'cli', 'main.js')
process.argv = [process.argv[0], main, 'serve', ...process.argv.slice(2)]
await import(pathToFileURL(main).href)
