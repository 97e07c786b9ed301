// Puts the program together, from src to dist, and makes the page. `node scripts/build.mjs` always builds; `ensureBuilt` builds only when the sources have changed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyPage, pageDigest } from './build-page.mjs'
import { ROOT, say, seconds } from './command.mjs'

const SRC = join(ROOT, 'src')
const DIST = join(ROOT, 'dist')
const STAMP = '.built-from'
const CONFIGURATION = ['tsconfig.json', 'package-lock.json', join('scripts', 'build.mjs')]

/** Tells whether dist was built, completely, from the very sources that are there now. */
export function isBuilt() {
  const stamp = join(DIST, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceDigest()
}

/** Builds when dist is missing, incomplete or older than the sources; tells whether dist is right afterwards. */
export async function ensureBuilt() {
  return isBuilt() || (await build())
}

/**
 * Builds beside dist and then takes its place, so that a build that is interrupted changes nothing and two builds at
 * once do not mix.
 */
export async function build() {
  const started = Date.now()
  const digest = sourceDigest()
  const fresh = join(ROOT, `dist.${process.pid}.partial`)
  const remove = () => rmSync(fresh, { recursive: true, force: true })
  process.on('exit', remove)
  try {
    await bundleSources(fresh)
    await copyPage(join(fresh, 'web'))
    writeFileSync(join(fresh, STAMP), digest)
    replaceDist(fresh)
  } catch (error) {
    say(error.message)
    say('The build failed: the messages above say where.')
    return false
  } finally {
    remove()
    process.off('exit', remove)
  }
  say(`built in ${seconds(Date.now() - started)}`)
  return isBuilt()
}

/**
 * Puts the program together: the command, a file for each thread, and what they share in `chunks`. Packages stay where they are. As many files as there
 * are sources would take a thread, and the command, a tenth of a second and more to read. Whether the types are right is the gate's to say.
 */
async function bundleSources(target) {
  const { build } = await import('vite')
  const threads = sourceFiles()
    .map((file) => relative(SRC, file))
    .filter((file) => file.endsWith('-thread.ts'))
    .map((file) => [`threads/${file.replaceAll(sep, '.').replace(/\.ts$/, '')}`, join(SRC, file)])
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    build: {
      ssr: true,
      target: 'node20',
      outDir: target,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        // A slow machine is no fault of the program.
        checks: { bundlerTimings: false },
        input: { 'cli/main': join(SRC, 'cli', 'main.ts'), ...Object.fromEntries(threads) },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        plugins: [ONE_BYTE],
      },
    },
  })
}

/** Escapes what is beyond Latin 1: a source with one such character takes two bytes for each of all, in every thread. */
const ONE_BYTE = {
  name: 'one-byte',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/[\u0100-\uffff]/g, escaped)
  },
}

function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function replaceDist(fresh) {
  const old = `${fresh}.old`
  try {
    if (existsSync(DIST)) renameSync(DIST, old)
    renameSync(fresh, DIST)
  } catch (error) {
    // Another build was faster; if it was of the same sources, nothing is lost.
    if (!isBuilt()) throw error
  }
  rmSync(old, { recursive: true, force: true })
}

function sourceFiles() {
  return readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

function sourceDigest() {
  const digest = createHash('sha256')
  for (const file of [...sourceFiles(), ...CONFIGURATION.map((name) => join(ROOT, name))]) {
    digest.update(relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return digest.update(pageDigest()).digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = (await build()) ? 0 : 1
