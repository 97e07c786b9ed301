// Makes the files of the page (web/ → dist/web) with Vite, each compressed beside itself. `ensurePage` makes them only when the sources have changed.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { ROOT } from './command.mjs'

const PAGE = join(ROOT, 'dist', 'web')
const STAMP = '.built-from'
/** What the page is made of: its own sources, what it shares with the server, guides and what makes them, and the tools. */
const SOURCES = ['web', join('src', 'page'), 'docs/reference', 'docs/how-to', 'scripts/guides']
const CONFIGURATION = ['tsconfig.json', 'package-lock.json']
/** Smaller files gain nothing. */
const LEAST_TO_COMPRESS = 256

/** Makes `dist/web` when it is missing or older than its sources. */
export async function ensurePage() {
  if (isPageBuilt()) return
  const fresh = join(ROOT, `dist.${process.pid}.page.partial`)
  try {
    await buildPage(fresh)
    replacePage(fresh)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/**
 * Puts the files of the page into a directory: those of `dist/web` where they are as new as their sources.
 * @param {string} target
 */
export async function copyPage(target) {
  if (isPageBuilt()) cpSync(PAGE, target, { recursive: true })
  else await buildPage(target)
}

function isPageBuilt() {
  const stamp = join(PAGE, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === pageDigest()
}

async function buildPage(target) {
  const digest = pageDigest()
  const { build } = await import('vite')
  const { output } = await build({ configFile: join(ROOT, 'web', 'vite.config.ts'), build: { outDir: target } })
  await writeDocs(target, output)
  for (const file of filesIn(target)) compress(file)
  writeFileSync(join(target, STAMP), digest)
}

/** Writes the documents below `/docs`; they name the files that are loaded late elsewhere. */
async function writeDocs(target, output) {
  const { docsDocuments } = await import('./guides/documents.mjs')
  const { fileName, viteMetadata } = output.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/docs.tsx'))
  const files = { script: `./${fileName}`, style: `./${[...viteMetadata.importedCss][0]}` }
  for (const [name, html] of docsDocuments(readFileSync(join(target, 'index.html'), 'utf8'), files)) {
    mkdirSync(dirname(join(target, name)), { recursive: true })
    writeFileSync(join(target, name), html)
  }
}

/** Another build may have been faster; of the same sources, its files are the same. */
function replacePage(fresh) {
  const old = `${fresh}.old`
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  try {
    if (existsSync(PAGE)) renameSync(PAGE, old)
    renameSync(fresh, PAGE)
  } catch (error) {
    if (!existsSync(join(PAGE, STAMP))) throw error
  }
  rmSync(old, { recursive: true, force: true })
}

function compress(file) {
  const bytes = readFileSync(file)
  if (bytes.length < LEAST_TO_COMPRESS) return
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, brotli))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}

/** Changes with whatever the page is made of. */
export function pageDigest() {
  const digest = createHash('sha256')
  const sources = SOURCES.flatMap((folder) => filesIn(join(ROOT, folder)))
  for (const file of [...sources, ...CONFIGURATION.map((name) => join(ROOT, name))]) {
    digest.update(relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return digest.digest('hex')
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}
