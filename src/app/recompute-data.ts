import type { RecordKind } from '../records/record-kind.ts'
import { countRecomputed, recomputeRecords } from '../records/use-cases/recompute.ts'
import { bankKindOf, isBanked } from '../records/work/bank.ts'
import { fillBank } from '../records/work/bank-changes.ts'
import type { Services } from './open-services.ts'

const MARK = 'recompute'

export interface DataRecomputation {
  readonly kinds: readonly RecordKind[]
  /** Symmetry that is known is kept; else it is sought again for every record. */
  readonly keepsSymmetry: boolean
}

export interface DataRecomputed {
  readonly seen: number
  readonly changed: number
  readonly failed: number
  /** Part of `seen`; the records say why. */
  readonly withoutSymmetry: number
  /** About how many records there are to be seen. */
  readonly total: number
}

/** State saved after each step, so that an interrupted recomputation goes on. */
interface RecomputationPlace {
  /** Kinds and options; a recomputation with others begins anew. */
  readonly subject: string
  /** The part that is under way, and where in it. */
  readonly part: number
  readonly after: string | null
  readonly seen: number
  readonly changed: number
  readonly failed: number
  readonly withoutSymmetry: number
}

/** Computes anew what follows from the stored records, also beside servers; goes on where the same was interrupted, and tells where. */
export async function* recomputeData(
  services: Services,
  { kinds, keepsSymmetry }: DataRecomputation,
): AsyncGenerator<DataRecomputed> {
  const { store, records } = services
  const parts = kinds.flatMap((kind) => partsOf(kind))
  const subject = JSON.stringify([keepsSymmetry, parts.map(({ collection }) => collection)])
  const counts = await Promise.all(parts.map(({ collection }) => countRecomputed(records, collection)))
  const total = counts.reduce((sum, count) => sum + count, 0)
  let place = await readPlace(services, subject)
  yield { ...place, total }
  for (const [part, { kind, isBank }] of parts.entries()) {
    if (part < place.part) continue
    const after = part === place.part ? place.after : null
    const symmetry = keepsSymmetry ? 'missing' : 'all'
    for await (const step of recomputeRecords(records, kind, { symmetry, isBank, after })) {
      const { seen, changed, failed, withoutSymmetry } = place
      const isPartOver = step.next === null
      place = {
        subject,
        part: isPartOver ? part + 1 : part,
        after: step.next,
        seen: seen + step.seen,
        changed: changed + step.changed,
        failed: failed + step.failed,
        withoutSymmetry: withoutSymmetry + step.withoutSymmetry,
      }
      await store.writeMark(MARK, JSON.stringify(place))
      yield { ...place, total }
    }
  }
  await store.writeMark(MARK, '')
}

function partsOf(kind: RecordKind) {
  const own = { kind, isBank: false, collection: kind.collection }
  return isBanked(kind) ? [own, { kind, isBank: true, collection: bankKindOf(kind).collection }] : [own]
}

async function readPlace({ store }: Services, subject: string): Promise<RecomputationPlace> {
  const text = await store.readMark(MARK)
  const place = text === null || text === '' ? null : (JSON.parse(text) as RecomputationPlace)
  if (place?.subject === subject) return place
  return { subject, part: 0, after: null, seen: 0, changed: 0, failed: 0, withoutSymmetry: 0 }
}

const BANK_MARK = 'bank'

/** Fills the banks of a store that is older than they are, once; before anybody else writes to it. */
export async function prepareBank({ store, records, kinds }: Services): Promise<void> {
  if ((await store.readMark(BANK_MARK)) !== null) return
  for (const kind of kinds) await fillBank(records, kind)
  await store.writeMark(BANK_MARK, new Date(records.clock()).toISOString())
}
