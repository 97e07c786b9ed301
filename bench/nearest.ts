// How long it takes to look at all fingerprints, and what they cost a record: `node --import tsx bench/nearest.ts [--records 1000000]`.
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { wholeNumber } from '../scripts/measured.ts'
import { allBits, exactly } from '../src/engine/selection.ts'
import { surveyRecords } from '../src/engine/survey-records.ts'
import { vectorText } from '../src/kernel/bytes.ts'
import { parseFilter } from '../src/query/filter/parse-filter.ts'
import { deriveMaterial } from '../src/records/kinds/material/derive-material.ts'
import { readMaterial } from '../src/records/kinds/material/structure-files.ts'
import {
  fingerprintMayDiffer,
  fingerprintOf,
  mayBeNear,
  NEAR,
  type Nearness,
  pairDistances,
  SAME,
} from '../src/structure/matching/fingerprint.ts'
import { findIsometry } from '../src/structure/matching/isometry.ts'
import { prototypeOf } from '../src/structure/matching/prototype.ts'
import { analyzeSymmetry } from '../src/structure/symmetry/find-symmetry.ts'
import { columnsOf } from '../test/engine/support/columns.ts'
import { crystalOf, FCC, randomOrdering } from '../test/structure-matching/support/orderings.ts'
import { randomOf } from './corpus/random.ts'

const ROWS = 65_536
/** In Å, as in most crystals. */
const EDGE_OF_AN_ATOM = 2.3
const ROUNDS = 21
const { values } = parseArgs({ options: { records: { type: 'string', default: '1000000' } } })
const SAMPLES = new URL('../samples/materials/', import.meta.url)
const crystals = readdirSync(SAMPLES).map((file) =>
  readMaterial({ text: readFileSync(new URL(file, SAMPLES), 'utf8'), format: 'material' }),
)

function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
}

const { next } = randomOf(1, 0)
const known = crystals.map(({ crystal }) => fingerprintOf(crystal) ?? new Uint16Array(24))
/** Fingerprints as those of the samples, each number off by some. */
const random = (): Uint16Array =>
  (known[Math.floor(next() * known.length)] ?? new Uint16Array(24)).map((x) => Math.max(0, x + (next() - 0.5) * 3000))
const path = { text: 'fingerprint', parts: ['fingerprint'] }
const count = wholeNumber('records', values.records)
const segments = Array.from({ length: Math.ceil(count / ROWS) }, (_, at) => {
  const rows = Math.min(ROWS, count - at * ROWS)
  const documents = Array.from({ length: rows }, () => ({ fingerprint: vectorText(random()) }))
  const source = columnsOf(documents, new Set([path.text]))
  return {
    home: 0,
    source,
    live: allBits(rows),
    numbers: Float64Array.from({ length: rows }, (_, row) => at * ROWS + row),
  }
})

/** As wide as candidates are sought, where that is asked for. */
function search(nearness?: Nearness): void {
  const question = {
    segments,
    tails: [],
    filter: parseFilter({}),
    select: ({ live }: (typeof segments)[number]) => exactly(live),
    spend() {},
    isOver: () => false,
    pathsIn: () => [],
  }
  const to = [...(known[Math.floor(next() * known.length)] ?? [])]
  const within = nearness === undefined ? 0xffff : fingerprintMayDiffer(to, EDGE_OF_AN_ATOM, nearness)
  const survey = { kind: 'nearest', path, to, limit: 13, within, take: [], budgetMs: 1000 } as const
  const work = surveyRecords(question as never, survey)
  let step = work.next()
  while (!step.done) {
    for (const at of step.value.places.keys()) step.value.take({}, at)
    step = work.next()
  }
}

const first = cpuMs(() => search())
const anywhere = Array.from({ length: ROUNDS }, () => cpuMs(() => search()))
const near = Array.from({ length: ROUNDS }, () => cpuMs(() => search(NEAR)))
const same = Array.from({ length: ROUNDS }, () => cpuMs(() => search(SAME)))
const tell = (what: string, ms: number, rest = '') =>
  process.stdout.write(`${what.padEnd(54)} ${ms.toFixed(2)} ms CPU${rest}\n`)
tell(`${count} records, the first search, which decodes them`, first)
tell('the 13 nearest, median', median(anywhere), `, most ${Math.max(...anywhere).toFixed(2)}`)
tell('candidates of what is near, median', median(near), `, most ${Math.max(...near).toFixed(2)}`)
tell('candidates of what is the same, median', median(same), `, most ${Math.max(...same).toFixed(2)}`)

/** Orderings on one lattice are the candidates that are told apart last. */
const orderings = Array.from({ length: 200 }, () => crystalOf(randomOrdering(FCC, 12, 0.5, next)))
for (const [name, nearness] of Object.entries({ NEAR, SAME })) {
  let mapped = 0
  const comparing = cpuMs(() => {
    for (const [at, other] of orderings.slice(1).entries()) {
      const one = orderings[at] ?? other
      if (!mayBeNear(pairDistances(one), pairDistances(other), nearness)) continue
      mapped += 1
      findIsometry(one, other, nearness)
    }
  })
  tell(`to compare two orderings of 12 atoms within ${name}`, comparing / 199, `, ${mapped} of 199 mapped`)
}

/** Each sample so often that the clock tells. */
const TIMES = 20
const times = crystals.map(({ crystal, material }) => {
  const symmetry = analyzeSymmetry(crystal, 0.01)
  const numbers = fingerprintOf(crystal) ?? new Uint16Array(24)
  const perOne = (work: () => void) => cpuMs(() => Array.from({ length: TIMES }, work)) / TIMES
  return {
    record: perOne(() => deriveMaterial(material, { symmetry: (one) => analyzeSymmetry(one, 0.01) })),
    fingerprint: perOne(() => fingerprintOf(crystal)),
    prototype: perOne(() => prototypeOf(symmetry, numbers)),
  }
})
const of = (name: keyof (typeof times)[number]) => median(times.map((time) => time[name]))
tell('the derived fields of a sample, median', of('record'))
tell('of which its fingerprint', of('fingerprint'), `, ${((100 * of('fingerprint')) / of('record')).toFixed(0)} %`)
tell('of which its prototype', of('prototype'), `, ${((100 * of('prototype')) / of('record')).toFixed(0)} %`)
