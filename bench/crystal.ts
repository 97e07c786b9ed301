// How long a crystal takes to be made ready and to be drawn by the processor: `npx tsx bench/crystal.ts`.
// Times are processor time of this process, the median of several; on a machine that does other things, nothing else can be compared.
import { firstView, fitted, turned } from '../src/page/scene/camera.ts'
import { type Scene, sceneOf } from '../src/page/scene/scene.ts'
import type { Structure } from '../src/page/scene/structure.ts'
import type { Vector3 } from '../src/page/scene/vector.ts'
import { type Drawing, drawingOf } from '../web/crystal/drawing.ts'
import { frameOf } from '../web/crystal/flat/frame.ts'
import { paint } from '../web/crystal/flat/paint.ts'

const SIZE = { width: 800, height: 600 }
const RUNS = 25
const TARGETS = { sceneMs: 60, wholeFrames: 15, simpleFrames: 30 }

/** Rock salt of so many cells along each edge, as one cell: eight atoms each. */
function rockSalt(along: number): Structure {
  const steps = Array.from({ length: 2 * along }, (_, i) => i)
  const places = steps.flatMap((u) => steps.flatMap((v) => steps.map((w): Vector3 => [u, v, w])))
  const edge = 5.64 * along
  return {
    lattice: [
      [edge, 0, 0],
      [0, edge, 0],
      [0, 0, edge],
    ],
    periodic: [true, true, true],
    species: places.map(([u, v, w]) => ((u + v + w) % 2 === 0 ? 'Na' : 'Cl')),
    fractions: places.map(([u, v, w]): Vector3 => [u / (2 * along), v / (2 * along), w / (2 * along)]),
  }
}

/** Median milliseconds of processor time. */
function median(run: (round: number) => void): number {
  const times = Array.from({ length: RUNS }, (_, round) => {
    const before = process.cpuUsage()
    run(round)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] as number
}

function frameMs(scene: Scene, drawing: Drawing, withoutBonds: boolean): number {
  const frame = frameOf(SIZE.width, SIZE.height)
  const first = firstView(scene.structure.lattice)
  return median((round) => {
    const camera = fitted(scene, turned(first, round * 0.05, round * 0.02), SIZE)
    paint(frame, drawing, camera, { withoutBonds })
  })
}

function row(what: string, value: number, unit: string, target = ''): void {
  process.stdout.write(`${what.padEnd(44)}${value.toFixed(1).padStart(9)} ${unit.padEnd(10)}${target}\n`)
}

for (const along of [2, 6]) {
  const structure = rockSalt(along)
  const ms = median(() => sceneOf(structure))
  const scene = sceneOf(structure)
  const drawing = drawingOf(scene, 'light')
  const isLarge = along === 6
  process.stdout.write(
    `\n${structure.species.length} atoms in the cell; drawn: ${scene.atoms.length} atoms, ${scene.bonds.length} bonds\n`,
  )
  row('scene made', ms, 'ms', isLarge ? `target: at most ${TARGETS.sceneMs}` : '')
  row('drawn whole', 1000 / frameMs(scene, drawing, false), 'frames/s', isLarge ? `target: ${TARGETS.wholeFrames}` : '')
  const simple = 1000 / frameMs(scene, drawing, true)
  row('drawn while it is turned, without bonds', simple, 'frames/s', isLarge ? `target: ${TARGETS.simpleFrames}` : '')
}
