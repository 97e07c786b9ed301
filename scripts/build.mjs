// Compiles src to dist. `node scripts/build.mjs` always builds; `ensureBuilt` builds only when the sources have changed.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT, runNode, say, seconds } from './command.mjs'

const DIST = join(ROOT, 'dist')
const STAMP = join(DIST, '.built-from')
const CONFIGURATION = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json']

/** Tells whether dist was compiled, completely, from the very sources that are there now. */
export function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceDigest()
}

/** Builds when dist is missing, incomplete or older than the sources; tells whether dist is right afterwards. */
export async function ensureBuilt() {
  return isBuilt() || (await build())
}

/** Compiles into an empty dist; the stamp comes last, so an interrupted build counts as none. */
export async function build() {
  const started = Date.now()
  const digest = sourceDigest()
  rmSync(DIST, { recursive: true, force: true })
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc')
  const { ok, output } = await runNode([compiler, '-p', 'tsconfig.build.json'], { capture: true })
  if (!ok) {
    say(output)
    say('The build failed: the messages above say where.')
    return false
  }
  copyAssets()
  writeFileSync(STAMP, digest)
  say(`built in ${seconds(Date.now() - started)}`)
  return true
}

/** Files of src that are served or read as they are; the compiler leaves them behind. */
function copyAssets() {
  for (const file of sourceFiles()) {
    if (/\.(ts|json)$/.test(file)) continue
    const target = join(DIST, relative(join(ROOT, 'src'), file))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(file, target)
  }
}

function sourceFiles() {
  return readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

function sourceDigest() {
  const digest = createHash('sha256')
  for (const file of [...sourceFiles(), ...CONFIGURATION.map((name) => join(ROOT, name))]) {
    digest.update(relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return digest.digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = (await build()) ? 0 : 1
