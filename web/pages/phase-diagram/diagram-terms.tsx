import { navigate } from '../../app/router.tsx'
import { type DiagramTarget, diagramPath, withTerm } from './diagram-path.ts'

/** How energies are corrected, and which entries are called stable. */
export function DiagramTerms({ asked }: { readonly asked: DiagramTarget }) {
  const { correction = '', tolerance = '' } = asked.others ?? {}
  const go = (name: 'correction' | 'tolerance', value: string) => navigate(diagramPath(withTerm(asked, name, value)))
  return (
    <>
      <label class="field group">
        Energies
        <select value={correction} onChange={({ currentTarget: { value } }) => go('correction', value)}>
          <option value="">as computed</option>
          <option value="mp2020">as in the Materials Project</option>
        </select>
      </label>
      <label class="field group">
        Stable up to, eV/atom
        <input
          type="number"
          class="distance"
          min={0}
          max={10}
          step="any"
          // What is being typed stays when the diagram comes.
          key={tolerance}
          defaultValue={tolerance}
          placeholder="0"
          onChange={({ currentTarget }) => currentTarget.validity.valid && go('tolerance', currentTarget.value)}
        />
      </label>
    </>
  )
}
