import { writeFileSync } from 'node:fs'
import type { ServerCommand } from '../load/server-process.ts'
import type { Answer } from '../measure/check-answers.ts'
import { askingOf, type Contestant } from './contestant.ts'
import { peerFile } from './peers.ts'
import { API, type Credentials } from './quarry.ts'

/** Names of the floors, and what each does beside sending the bytes. */
const FLOORS = {
  bare: 'bare node:http, the same bytes from ready buffers',
  fair: 'fair node:http: the same bytes and head, who asks, two clocks, a turn',
} as const
export type FloorName = keyof typeof FLOORS
export const FLOOR_NAMES = Object.keys(FLOORS) as readonly FloorName[]

/**
 * The floors: node:http that answers Quarry's addresses with Quarry's own bytes from ready buffers. `answers` maps targets
 * to what Quarry answered; `file` is where they are handed over.
 */
export function floorsOver(
  file: string,
  credentials: Credentials,
  answers: ReadonlyMap<string, Answer>,
): readonly Contestant[] {
  handOver(file, credentials, answers)
  return FLOOR_NAMES.map((name) => ({
    name,
    title: FLOORS[name],
    role: 'floor',
    sees: 'visible',
    command: { file: peerFile('floor'), args: [file, name] },
    ...askingOf(`${API}/materials`, { ...credentials }),
  }))
}

/** The bare floor as so many processes, where each answer takes so much of a processor beside. */
export function bareWorkers(
  file: string,
  credentials: Credentials,
  answers: ReadonlyMap<string, Answer>,
): (workers: number, microseconds: number) => ServerCommand {
  handOver(file, credentials, answers)
  return (workers, microseconds) => ({
    file: peerFile('floor'),
    args: [file, 'bare', String(workers), String(microseconds)],
  })
}

function handOver(file: string, credentials: Credentials, answers: ReadonlyMap<string, Answer>): void {
  writeFileSync(file, JSON.stringify({ credentials, answers: Object.fromEntries(answers) }), { mode: 0o600 })
}
