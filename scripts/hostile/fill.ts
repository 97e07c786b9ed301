const ELEMENTS = [
  'Si',
  'Ge',
  'C',
  'Al',
  'Cu',
  'Ni',
  'Ag',
  'Au',
  'Pt',
  'Pd',
  'Ca',
  'Sr',
  'Pb',
  'Ir',
  'Rh',
  'Na',
  'Mg',
  'Zn',
]

/** Creates materials of one and two atoms, no two the same, and gives the ids of some. */
export async function fill(url: string, headers: Readonly<Record<string, string>>, count: number): Promise<string[]> {
  const lines = Array.from({ length: count }, (_, n) => JSON.stringify(materialOf(n))).join('\n')
  const response = await fetch(`${url}/api/2018-10-01/materials/bulk`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body: lines,
  })
  const reports = (await response.text()).trimEnd().split('\n')
  const totals = JSON.parse(reports.at(-1) ?? '{}') as { readonly stored?: number }
  if (totals.stored !== count) throw new Error(`of ${count} materials, these were stored: ${reports.at(-1)}`)
  return reports.slice(0, 500).map((line) => (JSON.parse(line) as { readonly _id: string })._id)
}

function materialOf(n: number): object {
  const value = ELEMENTS[n % ELEMENTS.length]
  const other = ELEMENTS[Math.floor(n / ELEMENTS.length) % ELEMENTS.length]
  const a = 3.5 + n * 1e-4
  return {
    name: `crystal ${n}`,
    basis: {
      elements: [
        { id: 0, value },
        { id: 1, value: other },
      ],
      coordinates: [
        { id: 0, value: [0, 0, 0] },
        { id: 1, value: [0.25, 0.25, 0.25] },
      ],
      units: 'crystal',
    },
    lattice: { a, b: a, c: a, alpha: 60, beta: 60, gamma: 60, type: 'FCC' },
  }
}
