// Holds what a browser loads to bounds: the first page, and what comes when it is asked for. `node scripts/sizes.mjs` builds the page in memory and prints the sizes.
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT, say } from './command.mjs'

/** Bytes of a file as it is sent, compressed. */
const KB = 1024

/** What is loaded together, by the source that is asked for, and how much that may be. */
const BOUNDS = [
  { what: 'first load', from: ['index.html'], most: 40 * KB, mostFiles: 4 },
  // With the larger of the two renderers: a browser loads one.
  {
    what: 'a material with its crystal',
    from: ['pages/material/material-page.tsx', 'crystal/crystal-panel.tsx', 'crystal/crystal-view.ts', 'crystal/gl/'],
    most: 30 * KB,
  },
  {
    what: 'the search line',
    from: ['pages/materials/line-reader.ts', 'pages/materials/chips.tsx', 'pages/materials/suggestions.tsx'],
    most: 30 * KB,
  },
  { what: 'properties of a material', from: ['pages/material/properties-section.tsx'], most: 20 * KB },
  { what: 'a plot of curves', from: ['properties/curves/property-plot.tsx'], most: 15 * KB },
  { what: 'the import', from: ['pages/import/import-page.tsx'], most: 20 * KB },
  { what: 'the editor', from: ['editor/code-mirror.ts'], most: 125 * KB },
  { what: 'the reference', from: ['pages/docs/docs.tsx'], most: 10 * KB },
]

const files = await buildFiles()
const first = closureOf(files, BOUNDS[0].from)
let isWithin = true
for (const { what, from, most, mostFiles = Number.POSITIVE_INFINITY } of BOUNDS) {
  const all = closureOf(files, from)
  const loaded = all === first || what === 'first load' ? all : all.filter((name) => !first.includes(name))
  const bytes = loaded.reduce((sum, name) => sum + files.get(name).bytes, 0)
  const fits = loaded.length > 0 && bytes <= most && loaded.length <= mostFiles
  isWithin &&= fits
  const size = `${(bytes / KB).toFixed(1)} of ${most / KB} KB in ${loaded.length} files`
  say(`${fits ? 'ok    ' : 'FAILED'} ${what}: ${size}${fits ? '' : ` (${loaded.join(', ')})`}`)
}
process.exitCode = isWithin ? 0 : 1

/** The built files by name: what each is made of, how large it is compressed, and which others a browser loads with it. */
async function buildFiles() {
  const { build } = await import('vite')
  const { output } = await build({ configFile: join(ROOT, 'web', 'vite.config.ts'), build: { write: false } })
  return new Map(
    output.map((file) => {
      const content = file.type === 'chunk' ? file.code : file.source
      const sources = Object.keys(file.modules ?? {}).map((module) => relative(join(ROOT, 'web'), module))
      const styles = [...(file.viteMetadata?.importedCss ?? [])]
      const shown = file.fileName === 'index.html' ? namedIn(String(content)) : []
      const bytes = gzipSync(content, { level: 9 }).length
      return [
        file.fileName,
        { sources, bytes, isLate: file.isDynamicEntry, loads: [...(file.imports ?? []), ...styles, ...shown] },
      ]
    }),
  )
}

/** Files that the page itself asks for: its script, styles and icon. */
function namedIn(html) {
  return [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, name]) => name)
}

/** Every file that is loaded for one that is made of a source, or of what is in a folder. */
function closureOf(built, from) {
  const isMadeOf = ([name, { sources }]) =>
    from.some(
      (one) => name === one || sources.some((source) => (one.endsWith('/') ? source.startsWith(one) : source === one)),
    )
  const found = new Set()
  const add = (name) => {
    if (found.has(name)) return
    found.add(name)
    for (const loaded of built.get(name)?.loads ?? []) add(loaded)
  }
  for (const entry of built) if (isMadeOf(entry)) add(entry[0])
  return [...found].filter((name) => built.has(name))
}
