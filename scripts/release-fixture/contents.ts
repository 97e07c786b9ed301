import { CRYSTALS, type Crystal } from './crystals.ts'
import { oddFields, tagsFor } from './odd-fields.ts'
import type { Sender } from './released-quarry.ts'
import { toCif, toMaterial, toPoscar } from './structure-files.ts'

/** Who writes: two people and an account that both belong to. */
export interface Writers {
  readonly ada: Sender
  readonly bob: Sender
  readonly lab: Sender
}

/** Ids of records that the questions name. */
export interface Ids {
  readonly changed: string
  readonly restored: string
  readonly published: string
  readonly withdrawn: string
  readonly removed: string
  readonly returned: string
  readonly orderedSet: string
  readonly set: string
  readonly bobs: string
  readonly method: string
  readonly banked: string
}

const OF_BOB = 8
const OF_LAB = 5

/** Fills the store through its HTTP API; gives the ids of what the questions name. */
export async function fill(writers: Writers): Promise<Ids> {
  const { ada, bob, lab } = writers
  const materials: string[] = []
  for (const [i, crystal] of CRYSTALS.entries()) materials.push(await create(ada, crystal, i))
  const bobs: string[] = []
  for (const [i, crystal] of CRYSTALS.slice(0, OF_BOB).entries()) bobs.push(await create(bob, crystal, 100 + i))
  for (const [i, crystal] of CRYSTALS.slice(-OF_LAB).entries()) await create(lab, crystal, 200 + i)
  const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = ''] = materials
  const [, bobsPublic = ''] = bobs
  const method = await fillOtherKinds(writers)
  await change(ada, first, second, third)
  await remove(ada, fourth, fifth, sixth)
  await ada.send('POST', `/materials/${second}/set-default`)
  await ada.send('POST', `/materials/${third}/set-default`)
  await ada.send('POST', `/materials/${bobsPublic}/copy`)
  const sets = await collect(ada, materials.slice(8, 14))
  const [banked] = await ada.send<{ _id: string }[]>('GET', '/bank-materials?sort=formula&limit=1')
  await lab.send('POST', `/bank-materials/${banked?._id}/copy`)
  return {
    changed: first,
    restored: second,
    published: materials[7] ?? '',
    withdrawn: third,
    removed: fourth,
    returned: fifth,
    ...sets,
    bobs: bobs[0] ?? '',
    method,
    banked: banked?._id ?? '',
  }
}

/** Creates a material as a record or from a file; each seventh is public from the start. */
async function create(as: Sender, crystal: Crystal, i: number): Promise<string> {
  const fields = { ...oddFields(i), tags: tagsFor(i), isPublic: i % 7 === 3 || i % 7 === 0 }
  if (i % 3 === 0) {
    const { _id } = await as.send('POST', '/materials', { ...toMaterial(crystal), ...fields })
    return _id
  }
  const content = i % 3 === 1 ? toCif(crystal) : toPoscar(crystal)
  const format = i % 3 === 1 ? 'cif' : 'poscar'
  const { _id } = await as.send('POST', '/materials/import', { name: crystal.name, content, format, tags: tagsFor(i) })
  const { tags: _, ...invented } = fields
  await as.send('PATCH', `/materials/${_id}`, invented)
  return _id
}

async function fillOtherKinds({ ada, bob, lab }: Writers): Promise<string> {
  const types = ['pseudopotential', 'semiempirical', 'localorbital', 'unknown']
  const ids: string[] = []
  for (const [i, type] of types.entries()) {
    const precision = { cutoffs: { wavefunction: 30 + 10 * i, density: null } }
    const { _id } = await ada.send('POST', '/methods', {
      type,
      subtype: i % 2 === 0 ? 'us' : 'paw',
      precision,
      data: {},
    })
    ids.push(_id)
  }
  await bob.send('POST', '/methods', { type: 'pseudopotential', subtype: 'nc', isPublic: true, name: 'of Bob' })
  await ada.send('POST', '/workflows', { name: 'Relax', units: [{ type: 'execution', next: null }] })
  const { _id: job } = await ada.send('POST', '/jobs', { name: 'Relaxation of MgO', workflow: { steps: [1, [2, 3]] } })
  for (const value of [-12.5, -12.75]) {
    await ada.send('POST', '/properties', { data: { name: 'total_energy', value }, source: { info: { jobId: job } } })
  }
  await lab.send('POST', '/properties', { data: { name: 'band_gap', values: [{ type: 'direct', value: 1.1 }] } })
  return ids[0] ?? ''
}

/** A record with several versions, one that is again what it was, and one that is public for a while. */
async function change(ada: Sender, several: string, again: string, public_: string): Promise<void> {
  await ada.send('PATCH', `/materials/${several}`, {
    name: 'Magnesia',
    'lattice.a': 3.01,
    'lattice.b': 3.01,
    'lattice.c': 3.01,
  })
  await ada.send('PATCH', `/materials/${several}`, {
    $set: { 'runs.0': { code: 'own' }, odd: [[['deep']]] },
    $unset: { note: '' },
  })
  await ada.send('PATCH', `/materials/${several}`, { description: 'Relaxed — thrice', isPublic: true })
  const { version } = await ada.send<{ version: number }>('GET', `/materials/${again}/history`)
  await ada.send('PATCH', `/materials/${again}`, { name: 'A passing name', tags: [] })
  await ada.send('POST', `/materials/${again}/restore?revision=${version}`)
  await ada.send('PATCH', `/materials/${public_}`, { isPublic: true })
  await ada.send('PATCH', `/materials/${public_}`, { isPublic: false })
}

async function remove(ada: Sender, stays: string, returns: string, goes: string): Promise<void> {
  for (const id of [stays, returns, goes]) await ada.send('DELETE', `/materials/${id}`)
  await ada.send('POST', `/materials/${returns}/restore`)
  await ada.send('POST', `/materials/${goes}/purge`)
}

async function collect(ada: Sender, members: readonly string[]): Promise<{ orderedSet: string; set: string }> {
  const make = (name: string, entitySetType: string) =>
    ada.send('PUT', '/materials/create-set', { name, entitySetType })
  const { _id: orderedSet } = await make('Ordered by arrival', 'ordered')
  const { _id: set } = await make('Semiconductors', 'unordered')
  for (const id of members) await ada.send('POST', `/materials/${id}/move-to-set?oldSetId=&newSetId=${orderedSet}`)
  await ada.send('POST', `/materials/${members[1]}/move-to-set?oldSetId=${orderedSet}&newSetId=${set}`)
  await ada.send('POST', `/materials/${members[2]}/move-to-set?oldSetId=${orderedSet}&newSetId=`)
  await ada.send('POST', `/materials/${orderedSet}/move-to-set?oldSetId=&newSetId=${set}`)
  return { orderedSet, set }
}
