import { expect, test } from 'vitest'
import { type HullChange, type HullQuestion, hullChanges } from '../../src/records/diagrams/hull-properties.ts'

const GROUP = 'vasp:dft:gga:pbe'

/** A material as it shows its energy. */
function entry(
  _id: string,
  composition: Record<string, number>,
  value: number,
  potentials?: Readonly<Record<string, string>>,
) {
  const chemicalSystem = Object.keys(composition).sort().join('-')
  const energy = { value, propertyId: `energy of ${_id}`, ...(potentials === undefined ? {} : { potentials }) }
  return {
    _id,
    composition,
    chemicalSystem,
    properties: { total_energy: { ...energy, group: GROUP, [GROUP]: energy } },
  }
}

function page(...documents: readonly object[]): Uint8Array {
  return Buffer.from(JSON.stringify(documents))
}

function changesOf(asked: Partial<HullQuestion>) {
  const nothing = { accountId: 'ada', entries: [], present: [], having: null, after: null }
  return hullChanges({ ...nothing, ...asked }, () => {})
}

const METAL = entry('metal', { Mg: 1 }, -1)
const GAS = entry('gas', { Cl: 1 }, -1)
const names = (changes: readonly HullChange[]) => changes.map(({ materialId }) => materialId)

test('systems that have none of the asked elements are not looked at', () => {
  const entries = [page(METAL, GAS, entry('salt', { Mg: 1, Cl: 2 }, -9))]
  expect(names(changesOf({ entries }).changes)).toEqual(['gas', 'salt', 'metal'])
  expect(names(changesOf({ entries, having: [['Cl']] }).changes)).toEqual(['gas', 'salt'])
  expect(names(changesOf({ entries, having: [['Cl', 'Mg'], ['Na']] }).changes)).toEqual(['salt'])
})

test('energies of no group are compared with none', () => {
  const ofNone = { ...METAL, properties: { total_energy: { value: -1, propertyId: 'energy of metal' } } }
  expect(changesOf({ entries: [page(ofNone, GAS)] }).changes.map(({ materialId }) => materialId)).toEqual(['gas'])
})

test('energies of other potentials than most have none, whatever they would be', () => {
  const valence = { Mg: 'Mg', Cl: 'Cl' }
  const entries = [
    page(entry('metal', { Mg: 1 }, -1, valence), entry('core', { Mg: 1 }, -600, { Mg: 'Mg_pv' }), GAS),
    page(entry('salt', { Mg: 1, Cl: 2 }, -9, valence), entry('other', { Mg: 1, Cl: 2 }, -1200, { Mg: 'Mg_pv' })),
  ]
  const ofSystems = (having: readonly (readonly string[])[]) => changesOf({ entries, having }).changes
  const [salt] = ofSystems([['Cl', 'Mg']])
  expect(names(ofSystems([['Cl', 'Mg']]))).toEqual(['salt'])
  expect(salt?.write[0]?.document).toMatchObject({
    data: { name: 'formation_energy', value: -2 },
    source: { info: { references: { Mg: 'metal', Cl: 'gas' } } },
  })
})

test('a property of a material that shows no energy any more is erased', () => {
  const present = page({ _id: 'old', exabyteId: ['salt'], source: { type: 'hull', info: { elements: ['Cl', 'Mg'] } } })
  expect(changesOf({ present: [present], having: [['Mg']] })).toEqual({
    changes: [{ materialId: 'salt', write: [], erase: ['old'] }],
    next: null,
  })
})

test('many changes come in several answers', () => {
  const salts = Array.from({ length: 600 }, (_, at) => entry(`salt ${at}`, { Mg: 1, Cl: 2 }, -at))
  const entries = [page(METAL, GAS), page(...salts)]
  const first = changesOf({ entries })
  expect([first.changes.length, first.next]).toEqual([601, 'Cl-Mg'])
  const second = changesOf({ entries, after: first.next })
  expect([names(second.changes), second.next]).toEqual([['metal'], null])
})

test('what would take too long has none', () => {
  const nine = Object.fromEntries('H He Li Be B C N O F'.split(' ').map((element) => [element, 1]))
  expect(names(changesOf({ entries: [page(METAL, entry('nine', nine, -9))] }).changes)).toEqual(['metal'])
  const salts = Array.from({ length: 5_000 }, (_, at) => entry(`salt ${at}`, { Mg: 1, Cl: 2 }, -at))
  expect(names(changesOf({ entries: [page(METAL, GAS, ...salts)] }).changes)).toEqual(['gas', 'metal'])
})

test('an energy that no atoms have keeps no others from theirs', () => {
  const entries = [page(METAL, entry('absurd', { Mg: 1 }, -1e15))]
  expect(names(changesOf({ entries }).changes)).toEqual(['metal'])
})
