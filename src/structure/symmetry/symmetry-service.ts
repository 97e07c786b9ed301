import { type Log, SILENT_LOG } from '../../kernel/log.ts'
import { workerEntry } from '../../kernel/worker-entry.ts'
import { TaskEnded, type TaskEnding, WorkerPool } from '../../kernel/worker-pool.ts'
import { findElement } from '../elements/element.ts'
import { STRUCTURE_EVENTS } from '../events.ts'
import { isCell } from '../formats/cell.ts'
import type { Crystal } from '../formats/crystal.ts'
import { nearPairs } from '../formats/near-pairs.ts'
import { SAME_PLACE_ANGSTROM } from '../formats/overlap.ts'
import { DEFAULT_TOLERANCE_ANGSTROM, type NoSymmetry, SERVICE_CLOSED, type SymmetryService } from './symmetry-report.ts'
import type { SYMMETRY_TASKS } from './symmetry-thread.ts'

/** How long and how much the service works. */
export interface SymmetryServiceOptions {
  readonly tolerance?: number
  /** Of processor time, for one crystal. */
  readonly timeLimitMs?: number
  /** Told of structures that the finder failed on. */
  readonly log?: Log
}

/** About what one crystal takes beside its atoms, and each atom, in milliseconds. */
const CRYSTAL_MS = 1
const ATOM_MS = 0.1

/** Starts the service. Its thread begins with the first crystal, and is replaced when it runs out of time. */
export function openSymmetryService({
  tolerance = DEFAULT_TOLERANCE_ANGSTROM,
  timeLimitMs = 2000,
  log = SILENT_LOG,
}: SymmetryServiceOptions = {}): SymmetryService {
  const entry = workerEntry(import.meta.url, 'symmetry-thread')
  const pool = new WorkerPool<typeof SYMMETRY_TASKS>({ entry, threads: 1, cpuLimitMs: timeLimitMs })
  return {
    async analyze(crystal, user = '') {
      const reason = reasonAgainst(crystal)
      if (reason !== undefined) return notComputed(reason)
      const { lattice, sites } = crystal
      try {
        const cost = CRYSTAL_MS + ATOM_MS * sites.length
        return await pool.run('analyze', { crystal: { lattice, sites }, tolerance }, { user, cost })
      } catch (error) {
        const why = error instanceof TaskEnded ? REASONS[error.ending](error) : FAILED
        if (why !== SERVICE_CLOSED) log.tell(STRUCTURE_EVENTS.symmetryFailed, { reason: why }, error)
        return notComputed(why)
      }
    },
    get figures() {
      return pool.figures
    },
    close: () => pool.close(),
  }
}

const FAILED = 'the symmetry finder failed'

const REASONS: Readonly<Record<TaskEnding, (ended: TaskEnded) => string>> = {
  'processor-time': ({ message }) => message,
  memory: ({ message }) => message,
  lost: () => 'the symmetry finder cannot handle this structure',
  closed: () => SERVICE_CLOSED,
}

function notComputed(reason: string): NoSymmetry {
  return { status: 'not computed', reason }
}

/** What the symmetry finder would trap on, or what has no space group. */
function reasonAgainst(crystal: Crystal): string | undefined {
  const { lattice, sites, periodic } = crystal
  if (periodic.includes(false)) return 'the structure does not repeat in all three directions'
  if (sites.length === 0) return 'the structure has no atoms'
  if (!lattice.flat().every(Number.isFinite) || !isCell(lattice)) return 'the lattice vectors span no cell'
  if (!sites.every((site) => site.fraction.every(Number.isFinite))) return 'an atom has no place'
  const unknown = sites.find((site) => findElement(site.element) === undefined)
  if (unknown !== undefined) return `${unknown.element} is no chemical element`
  const fractions = sites.map((site) => site.fraction)
  const [pair] = nearPairs(lattice, periodic, fractions, () => SAME_PLACE_ANGSTROM, SAME_PLACE_ANGSTROM)
  return pair === undefined ? undefined : `atoms ${pair.first + 1} and ${pair.second + 1} are at one place`
}
