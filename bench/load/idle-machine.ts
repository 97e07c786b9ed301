import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { familyTicks, TICKS_PER_SECOND } from './process-figures.ts'

/** What all other processes of the machine took meanwhile, in cores: 1 is one core all the time. */
export interface OthersLoad {
  readonly part: string
  readonly cores: number
}

/** Work of others above this, in cores, makes a run void: the kernel writes to disk, and little programs look after the machine, for less. */
export const MOST_OF_OTHERS = 0.1
const LOOK_MS = 3000

/** Starts counting what processes take that are neither this one, nor started by it, nor its `helpers`; gives cores. */
export function startMachineWatch(helpers: readonly number[]): () => number {
  const ticks = () => busyTicks(readFileSync('/proc/stat', 'utf8')) - familyTicks([process.pid, ...helpers])
  const [started, before] = [performance.now(), ticks()]
  return () => {
    const seconds = (performance.now() - started) / 1000
    return Math.max(0, (ticks() - before) / TICKS_PER_SECOND / seconds)
  }
}

/** What others take on a machine on which nothing is measured yet. */
export async function loadOfOthers(helpers: readonly number[]): Promise<number> {
  const others = startMachineWatch(helpers)
  await sleep(LOOK_MS)
  return others()
}

/** Time of all processors in processes, and what another machine took of them; interrupts are of nobody. */
export function busyTicks(stat: string): number {
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = (/^cpu +(.*)$/m.exec(stat)?.[1] ?? '')
    .split(' ')
    .map(Number)
  return user + nice + system + steal
}

/** The parts in which others took too much. */
export function disturbed(others: readonly OthersLoad[]): readonly OthersLoad[] {
  return others.filter(({ cores }) => cores > MOST_OF_OTHERS)
}
