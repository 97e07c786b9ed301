import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../src/accounts/settings.ts'
import { CUT_BYTES } from '../../src/engine/column-parts.ts'
import { LONGEST_VALUE } from '../../src/engine/first-values.ts'
import { API_PREFIX, canonicalTarget } from '../../src/http/address.ts'
import { EXPORTS } from '../../src/http/bounds/held.ts'
import { SMALL_BODY } from '../../src/http/exchange/route.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'
import { QUERY_ENVELOPE } from '../../src/http/request/body.ts'
import { MOST_COLUMNS } from '../../src/http/request/search-body.ts'
import {
  DEFAULT_BUDGET_MS,
  DEFAULT_POINTS,
  MOST_BINS,
  MOST_BUDGET_MS,
  MOST_FACETS,
  MOST_POINTS,
  MOST_VALUES,
} from '../../src/http/request/survey-body.ts'
import { MOST_FRAMES } from '../../src/http/routes/import-materials.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { LARGEST_PAGE } from '../../src/optimade/entry-query.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../src/query/fields/parse-projection.ts'
import { MAX_PATTERN_LENGTH } from '../../src/query/patterns/compile-pattern.ts'
import { DEFAULT_QUERY_BOUNDS, mostLevels } from '../../src/query/plan.ts'
import { MOST_EXPORTED } from '../../src/records/import/export-structures.ts'
import { DEFAULT_UNPACK_LIMITS } from '../../src/records/import/unpack-files.ts'
import { MOST_SITES } from '../../src/records/kinds/material/material-kind.ts'
import { MOST_TOGETHER } from '../../src/records/use-cases/bulk-selection.ts'
import { KEPT_MS } from '../../src/records/use-cases/undo-entries.ts'
import { ANSWERS_KEPT_MS, MOST_ANSWER_BYTES, MOST_ANSWERS } from '../../src/store/port/answers.ts'
import { DEFAULT_SEGMENT_SIZES } from '../../src/store/segments/segment-sizes.ts'
import { DEFAULT_LIMITS } from '../../src/structure/crystal.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, ROOT), 'utf8')
const json = (name: string) => JSON.parse(read(name))

const manifest = json('package.json')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const infoOf = (document: JsonObject) =>
  document.info as unknown as { readonly license: { readonly identifier: string } }
const number = (value: number) => value.toLocaleString('en-US')
const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`
const kibibytes = (bytes: number) => `${bytes / 2 ** 10} KiB`

describe('the licence', () => {
  it.each([
    ['package-lock.json', () => json('package-lock.json').packages[''].license],
    ['LICENSE', () => /^(\S+) License\n/.exec(read('LICENSE'))?.[1]],
    ['README.md', () => /^\[(\S+)\]\(LICENSE\)$/m.exec(read('README.md'))?.[1]],
    ['/openapi.json', () => infoOf(openApiDocument([], [])).license.identifier],
  ])('in %s is that of package.json', (_, told) => {
    expect(told()).toBe(manifest.license)
  })
})

describe('the version', () => {
  it('in package-lock.json is that of package.json', () => {
    const lock = json('package-lock.json')
    expect([lock.version, lock.packages[''].version]).toEqual([manifest.version, manifest.version])
  })

  it('of the API is the same in every address of the code and the documentation', () => {
    const texts = ['src', 'web', 'docs', 'scripts'].flatMap((folder) =>
      readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(ts|tsx|mjs|md)$/.test(name))
        .map((name) => `${folder}/${name}`),
    )
    const wrong = [...texts, 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].flatMap((name) =>
      [...read(name).matchAll(/\/api\/\d{4}-\d{1,2}-\d{1,2}/g)]
        .filter(([address]) => canonicalTarget(address) !== API_PREFIX)
        .map(([address]) => `${name}: ${address}`),
    )
    expect(texts.length).toBeGreaterThan(700)
    expect(wrong).toEqual([])
  })
})

const { sessionDays, sessionMostDays, ...logins } = DEFAULT_ACCOUNT_SETTINGS
const { packed, ...unpacked } = DEFAULT_UNPACK_LIMITS
const leastNode = manifest.engines.node.replace('>=', '')
const otherNodes = [...read('scripts/nodes.ts').matchAll(/version: '(\d+)\./g)].map(([, major]) => major)
const samples = readdirSync(new URL('samples/materials', ROOT)).length

/** What pages say of a number that the code decides, as they say it. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'README.md': [
    `Node.js ${leastNode} or later (${[Number.parseInt(leastNode, 10), ...otherNodes].join(', ').replace(/, (\d+)$/, ' and $1')} are tested)`,
    `a library of ${samples} well-known crystals`,
  ],
  'docs/explanation/performance.md': [
    `When a tail has ${DEFAULT_SEGMENT_SIZES.tailRows} records`,
    `the first ${CUT_BYTES} bytes of a text`,
  ],
  'docs/how-to/run-it-for-a-lab.md': [
    `Node.js ${leastNode} or later`,
    `Node.js ${[Number.parseInt(leastNode, 10), ...otherNodes].join(', ').replace(/, (\d+)$/, ' and $1')} are tested`,
  ],
  'docs/how-to/use-the-page.md': [`within ${KEPT_MS / DAY_MS} days`],
  'docs/reference/api.md': [
    `after ${sessionDays} days without use, and after ${sessionMostDays} days in any case`,
    `After ${logins.loginFailuresPerPair} failures for one name from one address, ${logins.loginFailuresPerName} for one name, or ${logins.loginFailuresPerAddress} from one address`,
    `(1 to ${MAX_LIMIT}, default ${DEFAULT_LIMIT})`,
    `too long for a URL (${kibibytes(DEFAULT_HTTP_SETTINGS.urlLimit)},`,
    `\`limit\` (${DEFAULT_LIMIT}; to ${number(MAX_LIMIT)}) of them`,
    `more than ${kibibytes(LONGEST_VALUE)} of JSON is refused`,
    `for up to ${MOST_FACETS} \`facets\``,
    `(\`limit\` to ${number(MOST_VALUES)})`,
    `up to ${MOST_BINS} bins`,
    `at most \`limit\` (${number(DEFAULT_POINTS)}; to ${number(MOST_POINTS)})`,
    `\`budgetMs\` (milliseconds of a processor: ${number(DEFAULT_BUDGET_MS)}; to ${number(MOST_BUDGET_MS)})`,
    `may unpack to ${packed.ratio} times its size, or ${mebibytes(packed.free)}`,
    `at 1 to ${MOST_COLUMNS} paths`,
    `One user may have ${EXPORTS.perUser} exports under way, and a server ${EXPORTS.inAll}`,
    `of at most ${mebibytes(DEFAULT_HTTP_SETTINGS.bodyLimit)} (\`bodyLimit\`)`,
    `plus ${kibibytes(QUERY_ENVELOPE)} for \`search\` and \`count\`, and ${kibibytes(SMALL_BODY)} anywhere else`,
    `all or none, at most ${number(MOST_TOGETHER)}`,
    `once, within ${KEPT_MS / DAY_MS} days`,
    `kept for ${ANSWERS_KEPT_MS / HOUR_MS} hours, of each account the latest ${number(MOST_ANSWERS)} or ${mebibytes(MOST_ANSWER_BYTES)}`,
    `at most ${number(unpacked.files)} files of ${mebibytes(unpacked.longest)}, ${mebibytes(unpacked.total)} together, and ${packed.ratio} times the size of each archive`,
    `as a set](formats.md#all-structures-of-a-file), at most ${number(MOST_FRAMES)})`,
    `at most ${number(MOST_EXPORTED)}, into a zip archive`,
  ],
  'docs/reference/formats.md': [
    `${mebibytes(DEFAULT_LIMITS.textLength)} of text (41310), ${number(DEFAULT_LIMITS.atoms)} atoms after symmetry`,
    `At most ${number(MOST_FRAMES)} structures in a form`,
  ],
  'docs/reference/optimade.md': [`more than ${LARGEST_PAGE} is 403`],
  'docs/reference/query-language.md': [
    `| bytes of a query | ${number(DEFAULT_QUERY_BOUNDS.maxBytes)} |`,
    `| operators within each other; components of a path | ${DEFAULT_QUERY_BOUNDS.maxDepth} |`,
    `| levels of objects and arrays | ${mostLevels(DEFAULT_QUERY_BOUNDS)} |`,
    `| conditions: operators, and values that fields equal; \`{}\` in \`$and\`, \`$or\`, \`$nor\` | ${number(DEFAULT_QUERY_BOUNDS.maxClauses)} |`,
    `| values in one \`$in\`, \`$nin\`, \`$all\` | ${number(DEFAULT_QUERY_BOUNDS.maxInValues)} |`,
    `| characters of a pattern | ${number(MAX_PATTERN_LENGTH)} |`,
  ],
  'docs/reference/query-language-projection.md': [`an integer from 1 to ${MAX_LIMIT} | ${DEFAULT_LIMIT} |`],
  'docs/reference/records.md': [`at most ${number(MOST_SITES)} atoms`],
}

describe('a number that the code decides', () => {
  it.each(Object.entries(SENTENCES).flatMap(([page, sentences]) => sentences.map((each) => [page, each] as const)))(
    'is in %s as the code has it: %s',
    (page, sentence) => {
      // A sentence may go on in the next line.
      expect(read(page).replaceAll(/\s+/g, ' ')).toContain(sentence)
    },
  )
})

describe('the change log', () => {
  /** So much of an entry says what it is about. */
  const BEGINNING = 60

  function twiceIn(text: string): readonly string[] {
    const seen = new Set<string>()
    return text
      .split(/\n(?=- )/)
      .filter((entry) => entry.startsWith('- '))
      .map((entry) => entry.replaceAll(/\s+/g, ' ').slice(0, BEGINNING))
      .filter((entry) => seen.size === seen.add(entry).size)
  }

  it('has no entry twice', () => {
    expect(twiceIn(read('CHANGELOG.md'))).toEqual([])
  })

  it('has one twice where only the end is another', () => {
    const entry = `- Added: ${'something that has many words '.repeat(3)}`
    expect(twiceIn(`# Changelog\n\n${entry}\n- Fixed.\n${entry} and more\n`)).toHaveLength(1)
  })
})
