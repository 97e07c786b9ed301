import { afterAll, beforeAll, expect, test } from 'vitest'
import { API_PREFIX } from '../../src/http/address.ts'
import { type MaterialFields, structureOfMaterial } from '../../src/page/scene/material-structure.ts'
import { formatNames, isWritten } from '../../src/structure/formats/registry.ts'
import { type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ symmetry: true })
})
afterAll(() => server.close())

const BOHR = 0.529177210903
const RIGHT = { alpha: 90, beta: 90, gamma: 90 }
/** Iron and oxygen of a tetragonal cell; the atoms are not in the middle, so that a wrong unit shows. */
const ELEMENTS = [
  { id: 0, value: 'Fe' },
  { id: 1, value: 'O' },
]

function material(units: string, place: readonly number[], lattice: object, more: object = {}) {
  const coordinates = [
    { id: 0, value: [0, 0, 0] },
    { id: 1, value: place },
  ]
  return {
    name: 'FeO',
    isPublic: true,
    basis: { elements: ELEMENTS, coordinates, units },
    lattice: { ...lattice, ...RIGHT, ...more },
  }
}

const [A, C] = [6, 8]
const IN_BOHR = { a: A, b: A, c: C, units: { length: 'bohr', angle: 'degree' } }
const FRACTIONS = material('crystal', [0.5, 0.5, 0.4], { a: A * BOHR, b: A * BOHR, c: C * BOHR })
const SAME: readonly (readonly [string, ReturnType<typeof material>])[] = [
  ['Cartesian in bohr', material('cartesian', [A / 2, A / 2, 0.4 * C], IN_BOHR)],
  ['fractions in bohr', material('crystal', [0.5, 0.5, 0.4], IN_BOHR)],
  [
    'Cartesian in ångström',
    material('cartesian', [(A * BOHR) / 2, (A * BOHR) / 2, 0.4 * C * BOHR], {
      ...{ a: A * BOHR, b: A * BOHR, c: C * BOHR },
    }),
  ],
  [
    'Cartesian in bohr with vectors that name no unit',
    material('cartesian', [A / 2, A / 2, 0.4 * C], IN_BOHR, {
      vectors: { a: [A, 0, 0], b: [0, A, 0], c: [0, 0, C] },
    }),
  ],
]

/** Figures to six digits; ids and names of versions left out. */
function alike(text: string, id: string): string {
  return text
    .replaceAll(id, 'ID')
    .replace(/-?\d+\.\d+(?:e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(6)) + 0))
}

const FIELDS = 'formula hash scaledHash volume density spaceGroup fingerprint prototype derivedProperties'.split(' ')

/** Answers of all doors to one material. */
async function asked(body: object): Promise<Record<string, string>> {
  const { body: made } = await server.call('POST', 'materials', { body })
  const id: string = made.data._id
  const answers: Record<string, string> = {
    record: JSON.stringify(FIELDS.map((field) => made.data[field])),
    page: JSON.stringify(structureOfMaterial(made.data as MaterialFields).fractions),
  }
  const note = async (door: string, method: string, path: string, sent?: object) => {
    const response = await fetch(new URL(path, `${server.origin}${API_PREFIX}/`), {
      method,
      headers: { ...server.credentials.ada, 'content-type': 'application/json' },
      body: sent === undefined ? null : JSON.stringify(sent),
    })
    const { status } = response
    const text = await response.text()
    expect(status, door).toBe(200)
    answers[door] = alike(text, id)
  }
  const formats = formatNames(isWritten).split(', ')
  for (const format of formats) {
    await note(`export ${format}`, 'GET', `materials/${id}/export?format=${format}`)
    await note(`convert ${format}`, 'POST', 'structures/convert', {
      content: JSON.stringify(body),
      format: 'material',
      to: format,
    })
  }
  for (const door of ['analysis', 'coordination', 'diffraction', 'reciprocal', 'picture.svg'])
    await note(door, 'GET', `materials/${id}/${door}`)
  for (const door of ['analyze', 'coordination', 'diffraction', 'reciprocal'])
    await note(`structures/${door}`, 'POST', `structures/${door}`, {
      content: JSON.stringify(body),
      format: 'material',
    })
  await note(
    'optimade',
    'GET',
    `${server.origin}/optimade/v1/structures/${id}?response_fields=cartesian_site_positions`,
  )
  const { body: imported } = await server.call('POST', 'materials/import', {
    body: { content: JSON.stringify(body), format: 'material' },
  })
  answers.import = JSON.stringify(FIELDS.map((field) => imported.data[field]))
  return answers
}

let expected: Promise<Record<string, string>>
beforeAll(() => {
  expected = asked(FRACTIONS)
  return expected
})

test.each(SAME)('%s, all doors read the same crystal as of fractions in ångström', async (_units, body) => {
  const [found, wanted] = [await asked(body), await expected]
  for (const door of Object.keys(wanted)) expect(withoutTimes(found[door]), door).toEqual(withoutTimes(wanted[door]))
})

/** Leaves out what differs by its nature: times, and how the record itself is written. */
function withoutTimes(text = ''): string {
  return alike(text, 'ID').replaceAll(/"[^"]*(?:[Tt]ime|modified)[^"]*":"?[^,"}]*"?/g, '')
}
