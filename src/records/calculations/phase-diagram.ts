import { setImmediate } from 'node:timers/promises'
import type { FilterNode } from '../../query/ast/filter.ts'
import { all, equals, field, isOneOf } from '../../query/ast/filter.ts'
import { parseProjection } from '../../query/fields/parse-projection.ts'
import { planQuery } from '../../query/plan.ts'
import type { ReadTerms } from '../../store/port/record-store.ts'
import type { DiagramQuestion, DiagramTerms } from '../diagrams/diagram-answer.ts'
import {
  type DiagramRuns,
  JOB_FIELDS,
  METHOD_FIELDS,
  OXIDE_FIELDS,
  type RunNames,
} from '../diagrams/energy-corrections.ts'
import { ENERGY_FIELD, ENTRY_FIELDS } from '../diagrams/energy-entries.ts'
import { MOST_NAMED } from '../diagrams/left-out.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { jobKind, methodKind } from '../kinds/plain-kinds.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import type { RecordKind } from '../record-kind.ts'
import type { Collection } from '../work/deps.ts'

/** Elements of a phase diagram; of more there are more chemical systems than anybody looks at. */
export const MOST_ELEMENTS = 8
/** Materials that a phase diagram is made of. */
const MOST_ENTRIES = 5_000
/** Documents of one page: what is at hand is put together on the thread that asks, in some milliseconds. */
const PAGE = 100

/** The chemical systems that some elements make, each by its name. */
export function systemsWithin(elements: readonly string[]): readonly string[] {
  const sorted = [...elements].sort()
  const subsets = sorted.reduce<readonly (readonly string[])[]>(
    (some, element) => [...some, ...some.map((subset) => [...subset, element])],
    [[]],
  )
  return subsets.slice(1).map((subset) => subset.join('-'))
}

/** Makes the phase diagram of some elements of all that the session sees, as JSON text. */
export async function phaseDiagram(
  { deps, session }: Pick<Collection, 'deps' | 'session'>,
  terms: DiagramTerms,
  reading: ReadTerms,
): Promise<string> {
  const read: ReadPages = async (kind, filter, fields, most) => {
    const pages: Buffer[] = []
    let [after, count]: [string | null, number] = [null, 0]
    do {
      const asked = { filter, ...parseProjection({ fields, limit: Math.min(PAGE, most - count) }), after }
      const page = await deps.store.find(planQuery(asked, kind.collection, session.scope), reading)
      pages.push(page.documents)
      count += page.count
      after = page.next
      // A page that is at hand comes in the same turn.
      await setImmediate()
    } while (after !== null && count < most)
    return { pages, isWhole: after === null }
  }
  const within = isOneOf('chemicalSystem', systemsWithin(terms.elements))
  const withEnergy = all(within, has(true))
  const { pages, isWhole } = await read(materialKind, withEnergy, ENTRY_FIELDS, MOST_ENTRIES)
  const without = all(within, has(false))
  const plan = planQuery({ filter: without, ...parseProjection({ limit: 1 }) }, materialKind.collection, session.scope)
  const count = await deps.store.count(plan, reading)
  const named = await read(materialKind, without, { _id: 1, formula: 1 }, MOST_NAMED)
  const page = named.pages[0] ?? EMPTY
  const question: DiagramQuestion = {
    terms,
    pages,
    isWhole,
    withoutEnergy: { count, page, caveats: await caveatsOf(page, read) },
    runs: null,
  }
  const runs = terms.correction === null ? null : await runsOf({ deps, session }, question, read)
  return deps.work.run('diagram', session.user.id, { ...question, runs })
}

const EMPTY = Buffer.from('[]')

type ReadPages = (
  kind: RecordKind,
  filter: FilterNode,
  fields: Readonly<Record<string, 1>>,
  most: number,
) => Promise<{ readonly pages: readonly Buffer[]; readonly isWhole: boolean }>

function has(exists: boolean): FilterNode {
  return field(ENERGY_FIELD, { operator: '$exists', exists })
}

/** Reads the energies with a caveat of the materials of a page. */
async function caveatsOf(page: Buffer, read: ReadPages): Promise<readonly Buffer[]> {
  const ids = (JSON.parse(page.toString()) as readonly { readonly _id: string }[]).map(({ _id }) => _id)
  if (ids.length === 0) return []
  const filter = all(
    isOneOf('exabyteId', ids),
    equals('data.name', 'total_energy'),
    field('caveat', { operator: '$exists', exists: true }),
  )
  return (await read(propertyKind, filter, { exabyteId: 1, caveat: 1 }, PAGE)).pages
}

/** Reads the runs that energies are from, and the structures of oxides. */
async function runsOf(
  { deps, session }: Pick<Collection, 'deps' | 'session'>,
  { pages }: DiagramQuestion,
  read: ReadPages,
): Promise<DiagramRuns> {
  const named = (collection: RunNames['of'], from: readonly Uint8Array[]) =>
    deps.work.run('runNames', session.user.id, { of: collection, pages: from })
  const readEach = async (kind: RecordKind, ids: readonly string[], fields: Readonly<Record<string, 1>>) => {
    const found: Buffer[] = []
    for (let at = 0; at < ids.length; at += PAGE) {
      found.push(...(await read(kind, isOneOf('_id', ids.slice(at, at + PAGE)), fields, PAGE)).pages)
    }
    return found
  }
  const jobs = await readEach(jobKind, await named('jobs', pages), JOB_FIELDS)
  const methods = await readEach(methodKind, await named('methods', jobs), METHOD_FIELDS)
  const oxides = await readEach(materialKind, await named('oxides', pages), OXIDE_FIELDS)
  return { jobs, methods, oxides }
}
