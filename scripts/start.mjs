// `npm start`: from a fresh clone to a serving process. Everything after `npm start --` goes to `quarry serve`.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, isBuilt } from './build.mjs'
import { ROOT } from './command.mjs'
import { ensureInstalled, requireSupportedNode } from './install.mjs'
import { runStep } from './step.mjs'

stopWithNpm()
requireSupportedNode()
await ensureInstalled()
if (!isBuilt()) {
  const { ok } = await runStep('build', async () => ({ ok: await build() }))
  if (!ok) process.exit(1)
}
// In this very process: signals reach the server without a middleman.
const main = join(ROOT, 'dist', 'cli', 'main.js')
process.argv = [process.argv[0], main, 'serve', ...process.argv.slice(2)]
await import(pathToFileURL(main).href)

/**
 * npm runs a script through a shell and hands signals to the shell, which dies of them without a word to its child. A
 * server whose shell is gone has been told to stop.
 */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}
