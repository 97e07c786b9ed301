import { type ClientBytes, isShared, LongBytes } from '../../kernel/long-bytes.ts'
import type { RecordInput, RecordSource } from './record-input.ts'

/** Greatest depth of texts and bytes in an input. */
const DEPTH = 5

/** Input of a thread, built to go there. */
export interface PackedInput {
  readonly packed: object
  /** Memory that is handed over instead of being copied. */
  readonly handOver: readonly ArrayBuffer[]
  /** Number of characters and bytes. */
  readonly size: number
}

/**
 * Packs plain data for another thread. Bytes go as they are where they are shared, else as a copy that is handed over: what was given may be needed again, and
 * a part of a larger buffer would take all of it along.
 */
export function packInput(input: object): PackedInput {
  const handOver: ArrayBuffer[] = []
  let size = 0
  const pack = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string' || value instanceof LongBytes) {
      size += value.length
      return value
    }
    if (value instanceof Uint8Array) {
      size += value.length
      if (isShared(value)) return value
      const copy = new Uint8Array(value)
      handOver.push(copy.buffer)
      return copy
    }
    if (depth === 0 || typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
    if (Array.isArray(value)) return value.map((one) => pack(one, depth - 1))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pack(one, depth - 1)]))
  }
  const packed = pack(input, DEPTH) as object
  return { packed, handOver, size }
}

/** About what a record takes, in milliseconds: by itself, and for each KiB. */
const RECORD_MS = 1.5
const KIB_MS = 0.2
/** A form is not read, but looked through for its files. */
const FORM_KIB_MS = 0.005

const KIB = 1024

/** About how many milliseconds a task takes with so many characters and bytes. */
export function costOf(task: string, size: number, records = 1): number {
  return RECORD_MS * records + ((task === 'form' ? FORM_KIB_MS : KIB_MS) * size) / KIB
}

/** Size of one task: some tens of milliseconds, after which others have their turn. */
const TASK_RECORDS = 25
const TASK_BYTES = 256 * KIB

/** Shares inputs out to tasks. */
export function tasksOf(inputs: readonly RecordInput[]): readonly (readonly RecordInput[])[] {
  const tasks: RecordInput[][] = []
  let bytes = TASK_BYTES
  for (const input of inputs) {
    const last = tasks.at(-1)
    const length = lengthOf(input.source)
    bytes += length
    if (last !== undefined && last.length < TASK_RECORDS && bytes <= TASK_BYTES) {
      last.push(input)
    } else {
      tasks.push([input])
      bytes = length
    }
  }
  return tasks
}

function lengthOf(source: RecordSource): number {
  if ('document' in source) return 0
  const given: ClientBytes | string = 'json' in source ? source.json : 'file' in source ? source.file : source.stored
  return given.length
}
