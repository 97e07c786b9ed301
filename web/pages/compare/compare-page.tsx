import { useMemo } from 'preact/hooks'
import { type PageAddress, pagePath } from '../../../src/page/addresses.ts'
import { reading, useAnswer } from '../../api/use-answer.ts'
import { backTo, Link } from '../../app/router.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { FEWEST, idsIn, isComparable, isLaidIn, MOST } from './compare-ids.ts'
import { ComparedCrystals } from './compared-crystals.tsx'
import { type ComparedMaterial, ComparedTable } from './compared-table.tsx'
import { PatternPlot } from './pattern-plot.tsx'
import './compare.css'

const FIELDS =
  'name formula isDisordered spaceGroup prototype lattice basis isNonPeriodic nSites volume volumePerAtom density composition properties'

/** Two to six materials side by side: crystals, what is told of them, powder patterns. Which ones is in the address. */
export function ComparePage({ address }: { readonly address: PageAddress }) {
  const ids = idsIn(address.search)
  const isEnough = isComparable(ids.length)
  const { data, error } = useAnswer<readonly Readonly<Record<string, unknown>>[]>(
    reading(isEnough ? '/materials' : null, {
      query: JSON.stringify({ _id: { $in: ids } }),
      projection: JSON.stringify({ fields: Object.fromEntries(FIELDS.split(' ').map((field) => [field, 1])) }),
      limit: String(MOST),
    }),
  )
  const materials = useMemo(() => inOrder(data ?? [], ids), [data])
  const missing = data === null ? 0 : ids.length - materials.length
  return (
    <section class="compare">
      <p>
        <Link to={pagePath('materials')} onFollow={backTo(pagePath('materials'))}>
          ← Materials
        </Link>
      </p>
      <PageTitle help="compare">Compare materials</PageTitle>
      {!isEnough && (
        <p>
          {FEWEST} to {MOST} materials are compared; the address names {ids.length}. Choose them in the list with the
          boxes before their names, then <strong>Compare</strong>.
        </p>
      )}
      {error !== undefined && <RefusalBox error={error} />}
      {isEnough && error === undefined && data === null && <Skeleton lines={8} />}
      {missing > 0 && (
        <p role="status">
          {missing === 1 ? 'One of them is' : `${missing} of them are`} not there, or not to be seen by you.
        </p>
      )}
      {materials.length > 0 && (
        <>
          <ComparedCrystals materials={materials} isLaid={isLaidIn(address.search)} />
          <ComparedTable materials={materials} />
          <h2>Powder patterns</h2>
          <PatternPlot materials={materials} />
        </>
      )}
    </section>
  )
}

function inOrder(
  found: readonly Readonly<Record<string, unknown>>[],
  ids: readonly string[],
): readonly ComparedMaterial[] {
  return ids.flatMap((id) =>
    found
      .filter((material) => material['_id'] === id)
      .map((material) => ({ ...material, id, name: String(material['name'] ?? material['formula'] ?? id) })),
  )
}
