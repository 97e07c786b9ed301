// Compiles src to dist, and makes the page. `node scripts/build.mjs` always builds; `ensureBuilt` builds only when the sources have changed.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyPage, pageDigest } from './build-page.mjs'
import { ROOT, say, seconds } from './command.mjs'

const DIST = join(ROOT, 'dist')
const STAMP = '.built-from'
const CONFIGURATION = ['tsconfig.json', 'package-lock.json', join('scripts', 'build.mjs')]

/** Tells whether dist was compiled, completely, from the very sources that are there now. */
export function isBuilt() {
  const stamp = join(DIST, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceDigest()
}

/** Builds when dist is missing, incomplete or older than the sources; tells whether dist is right afterwards. */
export async function ensureBuilt() {
  return isBuilt() || (await build())
}

/**
 * Compiles beside dist and then takes its place, so that a build that is interrupted changes nothing and two builds at
 * once do not mix.
 */
export async function build() {
  const started = Date.now()
  const digest = sourceDigest()
  const fresh = join(ROOT, `dist.${process.pid}.partial`)
  const remove = () => rmSync(fresh, { recursive: true, force: true })
  process.on('exit', remove)
  try {
    await compileSources(fresh)
    copyAssets(fresh)
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

/** Takes the types out of every source, which needs no look at another one. Whether they are right is the gate's to say. */
async function compileSources(target) {
  const { transformWithOxc } = await import('vite')
  const options = {
    target: 'es2023',
    sourcemap: true,
    typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: true },
  }
  const compile = async (file) => {
    const { code, map } = await transformWithOxc(readFileSync(file, 'utf8'), file, options)
    const compiled = join(target, relative(join(ROOT, 'src'), file)).replace(/\.ts$/, '.js')
    mkdirSync(dirname(compiled), { recursive: true })
    writeFileSync(compiled, `${code}\n//# sourceMappingURL=${basename(compiled)}.map\n`)
    const sources = [relative(dirname(compiled), file)]
    writeFileSync(`${compiled}.map`, JSON.stringify({ ...map, sources, sourcesContent: undefined }))
  }
  await Promise.all(sourceFiles().filter(isSource).map(compile))
}

function isSource(file) {
  return file.endsWith('.ts')
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

/** Files of src that are served or read as they are; the compiler leaves them behind. */
function copyAssets(target) {
  for (const file of sourceFiles()) {
    if (isSource(file)) continue
    const copy = join(target, relative(join(ROOT, 'src'), file))
    mkdirSync(dirname(copy), { recursive: true })
    cpSync(file, copy)
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
  return digest.update(pageDigest()).digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = (await build()) ? 0 : 1
