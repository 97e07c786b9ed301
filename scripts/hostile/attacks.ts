import type { Crowd } from './crowd.ts'

/** What somebody may do to a server. */
export interface Attack {
  readonly name: string
  /** In a few words. */
  readonly title: string
  begin(crowd: Crowd): Promise<void> | void
}

const API = '/api/2018-10-01'
const MIB = 2 ** 20

/** What is tried. Each goes on until it is stopped: whatever is refused or ends begins again. */
export const ATTACKS: readonly Attack[] = [
  {
    name: 'R1-large',
    title: 'JSON of 6 to 9 MB with a million keys, to count, search and materials, with a token that may only read too',
    begin(crowd) {
      const body = manyKeys(7.7 * MIB)
      const { readOnly } = crowd.aim
      for (const path of ['materials/count', 'materials/search', 'materials', 'methods']) {
        const request = crowd.request(`POST ${API}/${path}`, { body })
        crowd.send(2, { request: () => request, manner: 'read' })
      }
      const request = crowd.request(`POST ${API}/materials`, { body, as: readOnly })
      crowd.send(2, { request: () => request, manner: 'read' })
    },
  },
  {
    name: 'R1-small',
    title:
      'JSON as large as it may be to count, search, tokens and accounts, and records of 60 kB with as many keys as fit',
    begin(crowd) {
      const bodies = [
        ['materials/count', `{"query":${manyKeys(60_000)}}`],
        ['materials/search', `{"query":{"$or":[${'{"a":1},'.repeat(6000)}{"b":2}]}}`],
        ['materials', `${manyKeys(60_000)}`],
        ['tokens', `${manyKeys(60_000)}`],
        ['accounts', `${manyKeys(60_000)}`],
      ] as const
      for (const [path, text] of bodies) {
        const request = crowd.request(`POST ${API}/${path}`, { body: Buffer.from(text) })
        crowd.send(8, { request: () => request, manner: 'read' })
      }
    },
  },
  {
    name: 'R2-files',
    title: 'CIF of 9 MB and of 100,000 operations, POSCAR of 8,000 atoms, relaxed supercells, a form of 60 MB',
    begin(crowd) {
      const files = [largeCif(), manyOperations(), poscar(20), poscar(8)]
      for (const content of files) {
        for (const path of ['structures/analyze', 'structures/convert']) {
          const body = Buffer.from(JSON.stringify({ content, ...(path.endsWith('convert') ? { to: 'cif' } : {}) }))
          const request = crowd.request(`POST ${API}/${path}`, { body })
          crowd.send(2, { request: () => request, manner: 'read' })
        }
      }
      const body = form(60 * MIB)
      const request = crowd.request(`POST ${API}/materials/import`, { body, type: 'multipart/form-data; boundary=x' })
      crowd.send(2, { request: () => request, manner: 'read' })
    },
  },
  {
    name: 'R3-bodies',
    title: '150 bodies of 10 MB of which the last byte never comes',
    begin(crowd) {
      const body = Buffer.alloc(10 * MIB - 1, ' ')
      const request = Buffer.concat([crowd.head(`POST ${API}/methods`, { length: 10 * MIB }), body])
      crowd.send(150, { request: () => request, manner: 'never finish' })
    },
  },
  {
    name: 'R3-unread',
    title: '60 lists of 64 MB that nobody reads',
    async begin(crowd) {
      await createLargeMethods(crowd, 'listed', 64)
      const request = crowd.request(`GET ${API}/methods?limit=64`)
      crowd.send(60, { request: () => request, manner: 'never read' })
    },
  },
  {
    name: 'R4-exports',
    title: '400 exports that nobody reads, while records are changed without end',
    async begin(crowd) {
      await createLargeMethods(crowd, 'exported', 16)
      for (const path of ['materials/export', 'methods/export']) {
        const request = crowd.request(`GET ${API}/${path}`)
        crowd.send(200, { request: () => request, manner: 'never read' })
      }
      let n = 0
      const create = () =>
        crowd.request(`POST ${API}/methods`, { body: Buffer.from(methodText(`written ${n++}`, 20_000)) })
      crowd.send(4, { request: create, manner: 'read' })
    },
  },
  {
    name: 'R5-many',
    title: '1,500 connections, each with one light request after the other',
    begin(crowd) {
      const remembered = crowd.request(`GET ${API}/materials?limit=10`)
      crowd.send(750, { request: () => remembered, manner: 'read' })
      let n = 0
      const fresh = () => crowd.request(`GET ${API}/materials?name=n${n++}`)
      crowd.send(750, { request: fresh, manner: 'read' })
    },
  },
  {
    name: 'R5-new',
    title: '300 connections, each request on a new one',
    begin(crowd) {
      const request = crowd.request(`GET ${API}/materials?limit=10`)
      crowd.send(300, { request: () => request, manner: 'read', reconnects: true })
    },
  },
  {
    name: 'R5-heavy',
    title: '200 connections with queries that look at every record, and with those that come near the limits',
    begin(crowd) {
      const query = (value: object) => encodeURIComponent(JSON.stringify(value))
      let n = 0
      const scan = () =>
        crowd.request(`GET ${API}/materials?query=${query({ $expr: { $gt: [{ $add: ['$lattice.a', n++] }, 1e9] } })}`)
      const pattern = () => crowd.request(`GET ${API}/materials?query=${query({ name: { $regex: `x${n++}.*y$` } })}`)
      crowd.send(100, { request: scan, manner: 'read' })
      crowd.send(100, { request: pattern, manner: 'read' })
    },
  },
  {
    name: 'R10-heads',
    title: 'two Host headers, GET *, more than 2,000 headers, heads of 200 kB, no HTTP at all',
    begin(crowd) {
      const many = Array.from({ length: 2500 }, (_, n) => `x-${n}: ${n}`)
      const heads = [
        crowd.head(`GET ${API}/materials`, { length: 0, more: ['Host: b'] }),
        crowd.head('GET *', { length: 0 }),
        crowd.head(`GET ${API}/materials`, { length: 0, more: many }),
        crowd.head(`GET ${API}/materials?query=${'x'.repeat(200_000)}`, { length: 0 }),
        crowd.head(`GET ${API}/materials`, { length: 0, more: [`x-large: ${'x'.repeat(200_000)}`] }),
        Buffer.from('this is no HTTP\r\n\r\n'),
      ]
      for (const head of heads) crowd.send(12, { request: () => head, manner: 'read' })
    },
  },
]

/** An object with so many short keys that it is that long. */
function manyKeys(bytes: number): Buffer {
  const parts: string[] = []
  for (let n = 0, length = 0; length < bytes; n++) {
    const part = `"k${n}":1`
    parts.push(part)
    length += part.length + 1
  }
  return Buffer.from(`{${parts.join(',')}}`)
}

function largeCif(): string {
  const sites = Array.from(
    { length: 120_000 },
    (_, n) => `Si${n} Si 0.${n} 0.${n + 7} 0.${n + 13} 1.0 Uiso 0.01 1 d . . . .`,
  )
  return `${cifHead(['x,y,z'])}loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z
_atom_site_occupancy\n_atom_site_adp_type\n_atom_site_U_iso_or_equiv\n_a\n_b\n_c\n_d\n_e\n_f\n${sites.join('\n')}\n`
}

function manyOperations(): string {
  const operations = Array.from({ length: 100_000 }, (_, n) => `'x+${n % 97}/97,y,z+${n % 89}/89'`)
  const site = 'loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nSi 0 0 0\n'
  return cifHead(operations) + site
}

function cifHead(operations: readonly string[]): string {
  const cell =
    '_cell_length_a 50\n_cell_length_b 50\n_cell_length_c 50\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90'
  return `data_a\n${cell}\nloop_\n_symmetry_equiv_pos_as_xyz\n${operations.join('\n')}\n`
}

/** A relaxed supercell of a cubic crystal, of so many cells a side. */
function poscar(side: number): string {
  const noise = () => (Math.random() - 0.5) * 1e-4
  const places = Array.from({ length: side ** 3 }, (_, n) => [
    n % side,
    Math.floor(n / side) % side,
    Math.floor(n / side ** 2),
  ])
  const lines = places.map((place) => place.map((x) => (x / side + noise()).toFixed(7)).join(' '))
  const a = 3 * side
  return `supercell\n1.0\n${a} 0 0\n0 ${a} 0\n0 0 ${a}\nPo\n${side ** 3}\nDirect\n${lines.join('\n')}\n`
}

function form(bytes: number): Buffer {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.cif"\r\n\r\n'
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 'data_a '), Buffer.from('\r\n--x--\r\n')])
}

function methodText(name: string, bytes: number): string {
  return JSON.stringify({ type: 'pseudopotential', subtype: 'us', name, text: 'x'.repeat(bytes) })
}

async function createLargeMethods({ aim }: Crowd, name: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, n) => methodText(`${name} ${n}`, MIB))
  const response = await fetch(`${aim.url}${API}/methods/bulk`, {
    method: 'POST',
    headers: { ...aim.headers, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  })
  const last = (await response.text()).trimEnd().split('\n').at(-1) ?? ''
  if ((JSON.parse(last) as { readonly stored?: number }).stored !== count) throw new Error(`methods: ${last}`)
}
