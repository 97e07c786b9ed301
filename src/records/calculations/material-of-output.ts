import { ownField } from '../../kernel/json.ts'
import { all, compares, equals } from '../../query/ast/filter.ts'
import { parseProjection } from '../../query/fields/parse-projection.ts'
import { planQuery } from '../../query/plan.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { findDuplicates } from '../use-cases/write-checks.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { NewRecord } from '../work/record-input.ts'

/** Share of the volume that rounding may take. */
const VOLUME_MAY_DIFFER = 1e-4
/** Materials of about the same volume that are looked at. */
const MOST = 20

/** For whom it is looked, and in which account. */
interface OutputAccount {
  readonly deps: RecordDeps
  readonly userId: string
  readonly accountId: string
}

/**
 * Finds the material of an account that an output speaks of: the same sites in the same order, at the same places of the same cell, but for the digits that an output
 * does not print. Null where there is none.
 */
export async function materialOfOutput(
  place: OutputAccount,
  { text, content, likeness }: NewRecord,
): Promise<string | null> {
  const byHash = await findDuplicates(place.deps, materialKind, place.accountId, content)
  return (
    (await samePlaced(place, text, byHash)) ??
    (likeness === null ? null : await samePlaced(place, text, await ofLikeVolume(place, likeness)))
  )
}

async function samePlaced({ deps, userId, accountId }: OutputAccount, text: string, ids: readonly string[]) {
  if (ids.length === 0) return null
  const scope = { kind: 'account', accountId } as const
  const records = await Promise.all(ids.map((id) => deps.store.read(materialKind.collection, scope, id)))
  const candidates = records.map((record) => record?.text ?? null)
  return ids[await deps.work.run('samePlaces', userId, { text, candidates })] ?? null
}

async function ofLikeVolume(
  { deps: { store }, accountId }: OutputAccount,
  likeness: NonNullable<NewRecord['likeness']>,
): Promise<readonly string[]> {
  const [formula, volume] = [ownField(likeness, 'formula'), ownField(likeness, 'volumePerAtom')]
  if (typeof formula !== 'string' || typeof volume !== 'number') return []
  const filter = all(
    equals('formula', formula),
    compares('volumePerAtom', '$gte', volume * (1 - VOLUME_MAY_DIFFER)),
    compares('volumePerAtom', '$lte', volume * (1 + VOLUME_MAY_DIFFER)),
    equals('owner._id', accountId),
  )
  const asked = { filter, ...parseProjection({ fields: { _id: 1 }, limit: MOST }) }
  const { documents } = await store.find(planQuery(asked, materialKind.collection, { kind: 'account', accountId }))
  return (JSON.parse(documents.toString()) as readonly { readonly _id: string }[]).map(({ _id }) => _id)
}
