import { pagePath } from '../../../src/page/addresses.ts'
import { Link } from '../../app/router.tsx'
import { quantityText } from '../../properties/quantity.ts'
import type { PhaseDiagram } from './phase-diagram.ts'
import { energyGroupWords } from './phase-words.ts'

/** What the energies are counted from, and of which method they are. */
export function References({ diagram: { references, group, correction } }: { readonly diagram: PhaseDiagram }) {
  return (
    <section>
      <h2>References</h2>
      <ul class="phase-references">
        {references.map(({ element, _id, energyPerAtom }) => (
          <li key={element}>
            {_id === undefined ? element : <Link to={pagePath('material', { id: _id })}>{element}</Link>}
            {energyPerAtom !== undefined && <> {quantityText(energyPerAtom, 'eV/atom')}</>}
          </li>
        ))}
      </ul>
      <p class="fine">
        {[group].flat().map(energyGroupWords).join(' and ')}
        {correction !== null && `, corrected by ${correction.toUpperCase()}`}
      </p>
    </section>
  )
}
