import { pagePath } from '../../../src/page/addresses.ts'
import { Link } from '../../app/router.tsx'
import { Formula } from '../../parts/formula.tsx'
import type { PhaseDiagram } from './phase-diagram.ts'
import { reasonText } from './phase-words.ts'

/** Materials of the same elements that are no entries, by reason. */
export function LeftOutList({ diagram: { leftOut, exact } }: { readonly diagram: PhaseDiagram }) {
  if (leftOut.length === 0 && exact) return null
  return (
    <>
      <h2>Not in this diagram</h2>
      {!exact && <p>More than 5,000 materials have energies: the others were not looked at, and may be stable.</p>}
      {leftOut.map(({ reason, count, materials }) => (
        <details key={reason}>
          <summary>
            {count.toLocaleString()} {reasonText(reason)}
          </summary>
          <ul class="phase-choices">
            {materials.map(({ _id, formula, why }) => (
              <li key={_id}>
                <Link to={pagePath('material', { id: _id })}>
                  <Formula text={formula} />
                </Link>
                {why !== undefined && <span class="fine"> {why}</span>}
              </li>
            ))}
            {count > materials.length && <li class="fine">and {(count - materials.length).toLocaleString()} more</li>}
          </ul>
        </details>
      ))}
    </>
  )
}
