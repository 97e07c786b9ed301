import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const FOLDERS = ['src', 'web', 'test', 'scripts', 'bench', 'docs', 'samples'] as const
const PAGES = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'bench/README.md'],
  ...readdirSync(new URL('docs/', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`),
]

/** Every file and folder of the project by what its path ends with, whole components of it: `src/query/filter/match.ts` is `filter/match`, too. */
const NAMES = endings(
  FOLDERS.flatMap((folder) => [
    folder,
    ...readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((name) => !name.includes('/node_modules')),
  ]),
)

function endings(paths: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const path of paths) {
    const parts = path.split('/')
    for (let from = 0; from < parts.length; from++) {
      const ending = parts.slice(from).join('/')
      names.add(ending).add(withoutKind(ending))
    }
  }
  return names
}

function withoutKind(name: string): string {
  return name.replace(/(\.test)?\.(ts|tsx|mjs|cjs)$/, '')
}

/** What has the form of a path and is none of this project: media types, addresses of the API, what is built or written, an example. */
const NO_FILE =
  /^(application|chemical|multipart|text)\/|^structures\/convert$|^type\/subtype$|^dist\/|^test-results\/|^bench\/\.cache$/
/** Stands for a name that is the reader's. */
const PLACEHOLDER = /(^|[/.-])[A-Z]{2,}/

/** What a text names that has the form of a file or folder: in backticks, or beginning with a folder of the project wherever it stands. */
function namedIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/`((?:[a-z0-9][\w.-]*\/)+[\w.-]*|[a-z][\w-]*\.(?:ts|tsx|mjs|cjs))`/g)]
  const whole = [...text.matchAll(new RegExp(`(?<![\\w/.@:-])((?:${FOLDERS.join('|')})/[\\w./-]*\\w)`, 'g'))]
  return [...quoted, ...whole]
    .map(([, name = '']) => name.replace(/\/$/, ''))
    .filter((name) => /^[a-z]/.test(name) && !NO_FILE.test(name) && !PLACEHOLDER.test(name))
}

describe('a file that is named', () => {
  it.each(PAGES)('in %s is there', (page) => {
    const text = readFileSync(new URL(page, ROOT), 'utf8')
    expect(namedIn(text).filter((name) => !NAMES.has(name) && !existsSync(new URL(name, ROOT)))).toEqual([])
  })

  it('is seen in a sentence, in a command, without its folder and without its kind', () => {
    const text =
      'see `care/gone`, `gone.ts`, npx tsx scripts/gone.ts --rounds 2, [it](../src/gone/file.ts) and `text/plain`, `src/NOUN.ts`'
    expect(namedIn(text)).toEqual(['care/gone', 'gone.ts', 'scripts/gone.ts'])
    expect(['filter/match', 'kernel', 'scripts/kill9.ts'].every((name) => NAMES.has(name))).toBe(true)
  })

  it('as a command of npm is in package.json', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))
    const named = PAGES.flatMap((page) =>
      [...readFileSync(new URL(page, ROOT), 'utf8').matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})
