import { useState } from 'preact/hooks'
import { reading, useAnswer } from '../../api/use-answer.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { SpaceGroup } from '../../parts/space-group.tsx'
import { valueAt } from '../../parts/value-at.ts'
import { Wide } from '../../parts/wide.tsx'
import { type MadeStructure, MakeMaterial } from './make-material.tsx'
import {
  fractionText,
  type Material,
  namesOfSites,
  propertyOf,
  rounded,
  sitesOf,
  spaceGroupOf,
  textAt,
} from './material.ts'

interface Orbit {
  readonly element: string
  readonly wyckoffLetter: string
  readonly multiplicity: number
  readonly siteSymmetry: string
  readonly coordinate: readonly number[]
  readonly sites: readonly number[]
}

interface Analysis {
  readonly orbits: readonly Orbit[] | null
  readonly standard: (Material & MadeStructure & { readonly nSites: number }) | null
}

const CELLS = ['conventional', 'primitive', 'niggli'] as const

/** The space group, the sites by orbit, and the crystal in its standard cells. */
export function SymmetrySection({ material, id }: { readonly material: Material; readonly id: string }) {
  const [cell, setCell] = useState<(typeof CELLS)[number]>('conventional')
  const { data, error } = useAnswer<Analysis>(reading(`/materials/${encodeURIComponent(id)}/analysis`, { cell }))
  return (
    <>
      <h2>Symmetry</h2>
      <GroupFacts material={material} />
      <Tolerances material={material} />
      {error !== undefined && <RefusalBox error={error} />}
      {error === undefined && data === null && <Skeleton lines={4} />}
      {data !== null && data.orbits === null && <p>The symmetry of this structure is not known.</p>}
      {data?.orbits && <Orbits orbits={data.orbits} />}
      {data?.standard && (
        <>
          <h2>Standard cell</h2>
          <fieldset class="choice">
            <legend>Cell</legend>
            {CELLS.map((one) => (
              <label key={one}>
                <input type="radio" name="cell" checked={cell === one} onChange={() => setCell(one)} /> {one}
              </label>
            ))}
          </fieldset>
          <StandardCell standard={data.standard} />
          <MakeMaterial made={data.standard} of={material} what={`${cell} cell`} />
        </>
      )}
    </>
  )
}

function GroupFacts({ material }: { readonly material: Material }) {
  const group = spaceGroupOf(material)
  const found = propertyOf(material, 'symmetry')
  if (group === null) return null
  const tolerance = (found?.['tolerance'] as { value?: number } | undefined)?.value
  const facts = [
    ['Number', String(group.number)],
    ['Crystal system', textAt(material, 'spaceGroup.crystalSystem')],
    ['Point group', textAt(material, 'spaceGroup.pointGroup')],
    ['Hall symbol', found?.['hallSymbol']],
    ['Found within', tolerance === undefined ? undefined : `${tolerance} Å`],
  ] as const
  return (
    <dl class="facts">
      <div>
        <dt>Space group</dt>
        <dd class="large">
          <SpaceGroup {...group} />
        </dd>
      </div>
      {facts.map(
        ([name, value]) =>
          typeof value === 'string' && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** The space groups within other tolerances, and that which the file of the material declares. */
function Tolerances({ material }: { readonly material: Material }) {
  const groups = valueAt(material, 'symmetry.byTolerance') as readonly GroupWithin[] | undefined
  const declared = valueAt(material, 'symmetry.declared') as Group | undefined
  const found = spaceGroupOf(material)
  return (
    <>
      {declared !== undefined && (
        <p>
          The file declares <SpaceGroup {...declared} />
          {declared.number === found?.number ? ', as it was found.' : ': another one than was found.'}
        </p>
      )}
      {Array.isArray(groups) && groups.length > 0 && (
        <>
          <h3>Within other tolerances</h3>
          <Wide label="Space groups by tolerance">
            <table class="numbers">
              <thead>
                <tr>
                  <th scope="col">Tolerance / Å</th>
                  <th scope="col">Space group</th>
                  <th scope="col">Number</th>
                </tr>
              </thead>
              <tbody>
                {groups.map((group) => (
                  <tr key={group.tolerance}>
                    <th scope="row">{group.tolerance}</th>
                    <td>
                      <SpaceGroup symbol={group.symbol} number={group.number} />
                    </td>
                    <td>{group.number}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Wide>
          {valueAt(material, 'symmetry.pseudosymmetric') === true && (
            <p class="fine">It is nearly more symmetric than it is: within 0.1 Å it has another group.</p>
          )}
        </>
      )}
    </>
  )
}

interface Group {
  readonly number: number
  readonly symbol: string
}

interface GroupWithin extends Group {
  readonly tolerance: number
}

function Orbits({ orbits }: { readonly orbits: readonly Orbit[] }) {
  return (
    <>
      <h3>Wyckoff positions</h3>
      <Wide label="Wyckoff positions">
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">Element</th>
              <th scope="col">Position</th>
              <th scope="col">Site symmetry</th>
              {['x', 'y', 'z'].map((axis) => (
                <th key={axis} scope="col">
                  <i>{axis}</i>
                </th>
              ))}
              <th scope="col">Sites of this cell</th>
            </tr>
          </thead>
          <tbody>
            {orbits.map((orbit, index) => (
              <tr key={index}>
                <th scope="row">{orbit.element}</th>
                <td>
                  {orbit.multiplicity}
                  <i>{orbit.wyckoffLetter}</i>
                </td>
                <td>{orbit.siteSymmetry}</td>
                {orbit.coordinate.map((component, axis) => (
                  <td key={axis}>{fractionText(component)}</td>
                ))}
                <td>{namesOfSites(orbit.sites)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      <p class="fine">Coordinates are those of one site in the conventional cell.</p>
    </>
  )
}

const PARAMETERS = [
  ['a', ' Å'],
  ['b', ' Å'],
  ['c', ' Å'],
  ['alpha', '°'],
  ['beta', '°'],
  ['gamma', '°'],
] as const
const GREEK: Readonly<Record<string, string>> = { alpha: 'α', beta: 'β', gamma: 'γ' }
const FEW = 100

function StandardCell({ standard }: { readonly standard: NonNullable<Analysis['standard']> }) {
  const lattice = standard['lattice'] as Readonly<Record<string, number>>
  const sites = sitesOf(standard).slice(0, FEW)
  return (
    <>
      <dl class="facts">
        {PARAMETERS.map(([name, unit]) => (
          <div key={name}>
            <dt>{GREEK[name] ?? name}</dt>
            <dd>
              {rounded(lattice[name] ?? 0)}
              {unit}
            </dd>
          </div>
        ))}
        <div>
          <dt>Sites</dt>
          <dd>{standard.nSites}</dd>
        </div>
      </dl>
      <Wide label="Sites of the standard cell">
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">Element</th>
              {['x/a', 'y/b', 'z/c'].map((axis) => (
                <th key={axis} scope="col">
                  <i>{axis}</i>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sites.map(({ element, place }, index) => (
              <tr key={index}>
                <th scope="row">{element}</th>
                {place.map((component, axis) => (
                  <td key={axis}>{fractionText(component)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {standard.nSites > FEW && (
        <p class="fine">
          The first {FEW} of {standard.nSites} sites.
        </p>
      )}
    </>
  )
}
