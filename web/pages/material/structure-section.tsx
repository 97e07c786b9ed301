import { useState } from 'preact/hooks'
import { valueAt } from '../../parts/value-at.ts'
import { Wide } from '../../parts/wide.tsx'
import { fractionText, type Material, rounded, sitesOf, textAt } from './material.ts'

/** As many rows as are drawn before somebody asks for more. */
const FEW = 100

/** The cell and its atoms, as the record has them. */
export function StructureSection({ material }: { readonly material: Material }) {
  const sites = sitesOf(material)
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? sites : sites.slice(0, FEW)
  const isCartesian = textAt(material, 'basis.units') === 'cartesian'
  const axes = isCartesian ? ['x', 'y', 'z'] : ['x/a', 'y/b', 'z/c']
  const hasStates = sites.some(({ element, species }) => species !== element)
  const hasShares = sites.some(({ occurrence }) => occurrence < 1)
  const hasLabels = sites.some(({ label }) => label !== '')
  const hasLetters = sites.some(({ wyckoffLetter }) => wyckoffLetter !== '')
  return (
    <>
      <h2 id="sites">Sites</h2>
      <Wide label="Sites">
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">No.</th>
              <th scope="col">Element</th>
              {hasStates && <th scope="col">Species</th>}
              {hasShares && <th scope="col">Occupancy</th>}
              {hasLabels && <th scope="col">Label</th>}
              {axes.map((axis) => (
                <th key={axis} scope="col">
                  <i>{axis}</i>
                </th>
              ))}
              {hasLetters && <th scope="col">Wyckoff letter</th>}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ element, species, occurrence, label, place, wyckoffLetter }, index) => (
              <tr key={index}>
                <td>{index + 1}</td>
                <th scope="row">{element}</th>
                {hasStates && <td>{species}</td>}
                {hasShares && <td>{rounded(occurrence)}</td>}
                {hasLabels && <td>{label}</td>}
                {axes.map((axis, at) => (
                  <td key={axis}>{fractionText(place[at] ?? 0)}</td>
                ))}
                {hasLetters && <td>{wyckoffLetter}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {hasShares && (
        <p class="fine">Species with the same coordinates share a site; what their occupancies leave of 1 is empty.</p>
      )}
      {shown.length < sites.length && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show all {sites.length} sites
        </button>
      )}
      <Vectors material={material} />
    </>
  )
}

function Vectors({ material }: { readonly material: Material }) {
  const rows = (['a', 'b', 'c'] as const).map((name) => [name, valueAt(material, `lattice.vectors.${name}`)] as const)
  if (!rows.every(([, vector]) => Array.isArray(vector))) return null
  return (
    <>
      <h2>Lattice vectors</h2>
      <Wide label="Lattice vectors">
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">Vector</th>
              {['x', 'y', 'z'].map((axis) => (
                <th key={axis} scope="col">
                  <i>{axis}</i> / Å
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, vector]) => (
              <tr key={name}>
                <th scope="row">
                  <b>{name}</b>
                </th>
                {(vector as number[]).map((component, index) => (
                  <td key={index}>{rounded(component, 6)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  )
}
