import { fileURLToPath } from 'node:url'
import type { LongTurn } from '../../src/http/server/long-turns.ts'

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: CallFrame
  readonly children?: readonly number[]
}

/** A profile of the processor as the inspector has it: times in microseconds of the clock that `process.hrtime` has. */
export interface TurnProfile {
  readonly nodes: readonly ProfileNode[]
  readonly startTime: number
  readonly samples?: readonly number[]
  readonly timeDeltas?: readonly number[]
}

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url))
/** Stacks that are told, and frames of each. */
const TOLD = 3
const FRAMES = 12

/**
 * What the program did in a turn: for how many milliseconds of a processor, and the stacks that were seen most. Samples tell shares of the turn: they have the
 * times of the clock, in which a thread may have had no processor.
 */
export function stacksOf(
  { nodes, startTime, samples = [], timeDeltas = [] }: TurnProfile,
  { began, ended, spent }: LongTurn,
): { readonly milliseconds: number; readonly stacks: readonly string[] } {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const offset = performance.now() - Number(process.hrtime.bigint()) / 1e6
  const seen = new Map<string, number>()
  let all = 0
  let own = 0
  let at = startTime
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0
    at += delta
    const time = at / 1000 + offset
    if (time < began || time > ended) continue
    all += delta
    const frames = framesOf(id, byId, parents)
    if (!isOfProgram(frames)) continue
    own += delta
    const stack = frames.slice(0, FRAMES).map(inWords).join('\n')
    seen.set(stack, (seen.get(stack) ?? 0) + delta)
  }
  const inMilliseconds = all === 0 ? 0 : spent / all
  const stacks = [...seen]
    .sort(([, a], [, b]) => b - a)
    .slice(0, TOLD)
    .map(([stack, took]) => `  for ${(took * inMilliseconds).toFixed(0)} ms\n${stack}`)
  return { milliseconds: own * inMilliseconds, stacks }
}

/** From the innermost frame. */
function framesOf(
  id: number,
  byId: ReadonlyMap<number, ProfileNode>,
  parents: ReadonlyMap<number, number>,
): readonly CallFrame[] {
  const frames: CallFrame[] = []
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const node = byId.get(at)
    if (node !== undefined) frames.push(node.callFrame)
  }
  return frames
}

/** Whether the program's own code has begun it: the outermost function with a file is one of its files, and not a module that is being loaded. */
function isOfProgram(frames: readonly CallFrame[]): boolean {
  const outermost = frames.findLast(({ url }) => url !== '' && !url.startsWith('node:'))
  if (outermost === undefined) return false
  return (
    pathOf(outermost.url).startsWith(SOURCE) &&
    frames.every(({ functionName }) => functionName !== 'asyncRunEntryPointWithESMLoader')
  )
}

function pathOf(url: string): string {
  return url.startsWith('file:') ? fileURLToPath(url) : url
}

function inWords({ functionName, url, lineNumber }: CallFrame): string {
  const path = pathOf(url)
  const place = path.startsWith(SOURCE) ? `src/${path.slice(SOURCE.length)}` : path
  return `    ${functionName || '(anonymous)'}${place === '' ? '' : ` ${place}:${lineNumber + 1}`}`
}
