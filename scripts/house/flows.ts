import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { makeTracedProgram, type TracedFunction, type TracedProgram } from '../trace/traced-program.ts'
import { type Asked, TracedServer, traceCommand } from '../trace/traced-server.ts'

/** What one flow enters: the files, and those of their functions that have a name. */
export interface Flow {
  readonly name: string
  readonly files: number
  readonly functions: number
  /** Null where only the first entry of each function is known. */
  readonly calls: number | null
  /** The files by name. */
  readonly entered: readonly string[]
}

/** How a flow is asked for the nth time; what has to be there before is asked for with `before`. */
interface Scenario {
  readonly name: string
  readonly before?: (n: number, context: Context) => readonly Asked[]
  readonly asked: (n: number, context: Context) => Asked
}

interface Context {
  /** Ids of materials. */
  readonly ids: readonly string[]
  readonly password: string
}

const API = '/api/2018-10-01'

/** What is entered in each of these runs belongs to a flow; the rest is work by the side, which comes and goes. */
const RUNS = 4
/** Threads are started, and what is made once is made, before anything counts. */
const WARMING = 2

const SCENARIOS: readonly Scenario[] = [
  { name: 'list, uncached', asked: (n) => list(n) },
  { name: 'list, cached', before: (n) => [list(100 + n), list(100 + n)], asked: (n) => list(100 + n) },
  {
    name: 'list, after a write',
    before: (n) => [list(200 + n), list(200 + n), create(200 + n)],
    asked: (n) => list(200 + n),
  },
  { name: 'get', asked: (n, { ids }) => get(`${API}/materials/${ids[n]}`) },
  { name: 'create', asked: (n) => create(n) },
  { name: 'import of a CIF', asked: (n) => importCif(n) },
  {
    name: 'OPTIMADE list',
    asked: (n) => get(`/optimade/v1/structures?filter=${encodeURIComponent(`nsites<${n + 3}`)}`),
  },
  { name: 'login', asked: (_, { password }) => logIn(password) },
]

/** Runs each flow in a real server, or as a real command over the same data, and counts what it enters. */
export async function countFlows(): Promise<readonly Flow[]> {
  const program = makeTracedProgram()
  const directory = mkdtempSync(join(tmpdir(), 'quarry-flows-'))
  try {
    const data = join(directory, 'data')
    return [...(await serverFlows(program, data)), await commandFlow(program, directory, data)]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function serverFlows(program: TracedProgram, data: string): Promise<readonly Flow[]> {
  const server = await TracedServer.start(program, data)
  try {
    const listed = await server.trace(get(`${API}/materials?projection=${encodeURIComponent('{"fields":{"_id":1}}')}`))
    const ids = (JSON.parse(listed.answer) as { data: { _id: string }[] }).data.map(({ _id }) => _id)
    const context = { ids, password: server.noticed('password') }
    await untilSealed(server)
    const flows: Flow[] = []
    for (const scenario of SCENARIOS) flows.push(await serverFlow(server, scenario, context))
    return flows
  } finally {
    await server.stop()
  }
}

/** Lets the server make a segment of the samples, as of nearly all that a lab has: else the first lists would read documents, and later ones columns. */
async function untilSealed(server: TracedServer): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const { answer } = await server.trace(get('/metrics'))
    if (/^quarry_segments\S* [1-9]/m.test(answer)) return
    if (Date.now() > deadline) throw new Error('the records of a first start have come into no segment')
    await setTimeout(500)
  }
}

async function serverFlow(server: TracedServer, { name, before, asked }: Scenario, context: Context): Promise<Flow> {
  const runs: (readonly TracedFunction[])[] = []
  for (let n = 0; n < WARMING + RUNS; n++) {
    for (const first of before?.(n, context) ?? []) await server.trace(first)
    const { status, entries, answer } = await server.trace(asked(n, context))
    if (status >= 300) throw new Error(`${name} is answered with ${status}: ${answer}`)
    if (n >= WARMING) runs.push(entries.map(({ called }) => called))
  }
  const calls = Math.min(...runs.map(({ length }) => length))
  return { ...flowOf(name, inAll(runs)), calls }
}

async function commandFlow(program: TracedProgram, directory: string, data: string): Promise<Flow> {
  const file = join(directory, 'si.cif')
  writeFileSync(file, cif(5.43))
  const parameters = ['import', file, '--user', 'admin', '--data', data]
  const entered = await traceCommand(program, parameters, join(directory, 'entered'))
  return flowOf('`quarry import si.cif`, loading included', entered)
}

function flowOf(name: string, called: readonly TracedFunction[]): Flow {
  const entered = [...new Set(called.map(({ file }) => file))].sort()
  return {
    name,
    files: entered.length,
    functions: called.filter((one) => one.name !== null).length,
    calls: null,
    entered,
  }
}

function inAll(runs: readonly (readonly TracedFunction[])[]): readonly TracedFunction[] {
  const [first = [], ...others] = runs.map((run) => new Set(run))
  return [...first].filter((called) => others.every((run) => run.has(called)))
}

function get(target: string): Asked {
  return { method: 'GET', target }
}

function list(n: number): Asked {
  const query = JSON.stringify({ elements: 'Si', 'lattice.a': { $gt: 1 + n / 1000 } })
  const projection = JSON.stringify({ fields: { name: 1, formula: 1 }, sort: { name: 1 }, limit: 10 })
  return get(`${API}/materials?query=${encodeURIComponent(query)}&projection=${encodeURIComponent(projection)}`)
}

/** Each is another crystal. */
function create(n: number): Asked {
  const a = 4 + n / 1000
  const body = {
    name: `made ${n}`,
    lattice: { a, b: a, c: a, alpha: 90, beta: 90, gamma: 90 },
    basis: {
      elements: [
        { id: 0, value: 'Cs' },
        { id: 1, value: 'Cl' },
      ],
      coordinates: [
        { id: 0, value: [0, 0, 0] },
        { id: 1, value: [0.5, 0.5, 0.5] },
      ],
      units: 'crystal',
    },
  }
  return { method: 'POST', target: `${API}/materials`, body: JSON.stringify(body) }
}

function importCif(n: number): Asked {
  const body = { name: `imported ${n}`, format: 'cif', content: cif(5 + n / 1000) }
  return { method: 'POST', target: `${API}/materials/import`, body: JSON.stringify(body) }
}

function logIn(password: string): Asked {
  const body = JSON.stringify({ username: 'admin', password })
  return { method: 'POST', target: `${API}/login`, headers: {}, body }
}

/** Rock salt by its symmetry. */
function cif(a: number): string {
  return [
    'data_rock_salt',
    `_cell_length_a ${a}`,
    `_cell_length_b ${a}`,
    `_cell_length_c ${a}`,
    '_cell_angle_alpha 90',
    '_cell_angle_beta 90',
    '_cell_angle_gamma 90',
    "_symmetry_space_group_name_H-M 'F m -3 m'",
    '_symmetry_Int_Tables_number 225',
    'loop_',
    '_atom_site_label',
    '_atom_site_type_symbol',
    '_atom_site_fract_x',
    '_atom_site_fract_y',
    '_atom_site_fract_z',
    'Na1 Na 0 0 0',
    'Cl1 Cl 0.5 0.5 0.5',
    '',
  ].join('\n')
}
