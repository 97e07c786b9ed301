import type { ComponentChildren } from 'preact'
import { disorderedFormula } from '../../../src/page/disordered-formula.ts'
import { ownerCalled } from '../../app/owner-called.ts'
import { Link } from '../../app/router.tsx'
import { Formula } from '../../parts/formula.tsx'
import { Instant } from '../../parts/instant.tsx'
import { SpaceGroup } from '../../parts/space-group.tsx'
import { Strukturbericht } from '../../parts/strukturbericht.tsx'
import { Tags } from '../../parts/tags.tsx'
import { valueAt } from '../../parts/value-at.ts'
import { diagramPath, MOST_ELEMENTS } from '../phase-diagram/diagram-path.ts'
import { elementsOf, type Material, numberAt, rounded, spaceGroupOf, textAt } from './material.ts'

interface Fact {
  readonly name: string
  readonly value: ComponentChildren
}

interface FactsProps {
  readonly material: Material
  /** What it shows of its properties. */
  readonly properties: unknown
}

/** What a chemist asks first, with units; the rest of who and when below. */
export function Facts({ material, properties }: FactsProps) {
  return (
    <>
      <FactList facts={crystalFacts(material, properties)} />
      <FactList facts={recordFacts(material)} isMinor />
    </>
  )
}

function FactList({ facts, isMinor = false }: { readonly facts: readonly Fact[]; readonly isMinor?: boolean }) {
  return (
    <dl class={isMinor ? 'fact-rows minor' : 'fact-rows'}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function crystalFacts(material: Material, properties: unknown): readonly Fact[] {
  const group = spaceGroupOf(material)
  return [
    ...formulaFact('Formula', formulaOf(material)),
    ...systemFact(material, properties),
    ...disorderFact(material),
    ...formulaFact('In the cell', textAt(material, 'unitCellFormula')),
    group === null
      ? { name: 'Space group', value: <span class="fine">not known</span> }
      : {
          name: 'Space group',
          value: (
            <>
              <SpaceGroup {...group} /> <span class="fine">No. {group.number}</span>
            </>
          ),
        },
    ...prototypeFact(material),
    ...textFact('Crystal system', textAt(material, 'spaceGroup.crystalSystem')),
    ...lengths(material),
    ...angles(material),
    ...quantity('Volume', numberAt(material, 'volume'), { unit: 'Å³', digits: 3 }),
    ...quantity('Density', numberAt(material, 'density'), { unit: 'g/cm³', digits: 3 }),
    ...quantity('Sites', numberAt(material, 'nSites'), { unit: '', digits: 0 }),
  ]
}

function recordFacts(material: Material): readonly Fact[] {
  const tags = valueAt(material, 'tags')
  const owner = textAt(material, 'owner.slug')
  return [
    ...(Array.isArray(tags) && tags.length > 0
      ? [
          {
            name: 'Tags',
            value: <Tags tags={tags.map(String)} />,
          },
        ]
      : []),
    ...textFact('Account', owner === undefined ? undefined : ownerCalled(owner)),
    { name: 'Seen by', value: material['isPublic'] === true ? 'everybody here' : 'its account' },
    ...instant('Created', textAt(material, 'createdAt')),
    ...instant('Changed', textAt(material, 'updatedAt')),
  ]
}

function formulaOf(material: Material): string | undefined {
  const formula = textAt(material, 'formula')
  return formula !== undefined && material['isDisordered'] === true ? disorderedFormula(formula) : formula
}

function formulaFact(name: string, text: string | undefined): readonly Fact[] {
  return text === undefined ? [] : [{ name, value: <Formula text={text} /> }]
}

/** The elements, with the phase diagram that the energy of the material belongs to. */
function systemFact(material: Material, properties: unknown): readonly Fact[] {
  const elements = elementsOf(material)
  if (elements.length < 2 || elements.length > MOST_ELEMENTS) return []
  const group = valueAt(properties, 'total_energy.group')
  const path = diagramPath({ elements, ...(typeof group === 'string' ? { group } : {}) })
  const value = (
    <>
      {elements.join('–')} <Link to={path}>Phase diagram</Link>
    </>
  )
  return [{ name: 'Elements', value }]
}

const DISORDER_WORDS: Readonly<Record<string, string>> = {
  substitution: 'species share sites',
  vacancy: 'sites are empty in some cells',
  position: 'atoms are in one of several places',
}

function disorderFact(material: Material): readonly Fact[] {
  const kinds = valueAt(material, 'disorderKinds')
  if (!Array.isArray(kinds) || kinds.length === 0) return []
  return [{ name: 'Disorder', value: kinds.map((kind) => DISORDER_WORDS[String(kind)] ?? String(kind)).join('; ') }]
}

/** The structure type by its names; its label, which is long, where it has none. */
function prototypeFact(material: Material): readonly Fact[] {
  const [name, label] = [textAt(material, 'prototype.name'), textAt(material, 'prototype.label')]
  const [symbol, pearson] = [textAt(material, 'prototype.strukturbericht'), textAt(material, 'prototype.pearson')]
  if (name === undefined && label === undefined) return []
  const value = (
    <>
      {name ?? (pearson === undefined && symbol === undefined ? label : '')}{' '}
      <span class="fine" title={label}>
        {symbol !== undefined && <Strukturbericht symbol={symbol} />}
        {symbol !== undefined && pearson !== undefined && ', '}
        {pearson}
      </span>
    </>
  )
  return [{ name: 'Prototype', value }]
}

function textFact(name: string, value: string | undefined): readonly Fact[] {
  return value === undefined ? [] : [{ name, value }]
}

function quantity(
  name: string,
  value: number | undefined,
  { unit, digits }: { readonly unit: string; readonly digits: number },
): readonly Fact[] {
  return value === undefined ? [] : [{ name, value: `${rounded(value, digits)} ${unit}`.trim() }]
}

function instant(name: string, at: string | undefined): readonly Fact[] {
  return at === undefined ? [] : [{ name, value: <Instant at={at} /> }]
}

function lengths(material: Material): readonly Fact[] {
  const unit = textAt(material, 'lattice.units.length') === 'bohr' ? 'bohr' : 'Å'
  return cellFact(material, { name: 'a, b, c', keys: ['a', 'b', 'c'], unit: ` ${unit}` })
}

function angles(material: Material): readonly Fact[] {
  const unit = textAt(material, 'lattice.units.angle') === 'radian' ? ' rad' : '°'
  return cellFact(material, { name: 'α, β, γ', keys: ['alpha', 'beta', 'gamma'], unit })
}

function cellFact(
  material: Material,
  { name, keys, unit }: { readonly name: string; readonly keys: readonly string[]; readonly unit: string },
): readonly Fact[] {
  const values = keys.map((key) => numberAt(material, `lattice.${key}`))
  if (values.some((value) => value === undefined)) return []
  return [{ name, value: `${values.map((value) => rounded(value ?? 0)).join(', ')}${unit}` }]
}
