import type { ImportItem } from './import-item.ts'
import { Nesting } from './nesting.ts'
import { PendingItem } from './pending-item.ts'

type Pieces = AsyncIterable<string>

/** Takes a text apart into one record a line; empty lines are none. */
export async function* splitLines(pieces: Pieces, longest: number): AsyncGenerator<ImportItem> {
  const pending = new PendingItem(longest)
  for await (const piece of pieces) {
    const lines = piece.split('\n')
    const rest = lines.pop() ?? ''
    for (const line of lines) {
      pending.append(`${line}\n`)
      const item = pending.take()
      if (item !== null) yield item
    }
    pending.append(rest)
  }
  const last = pending.take()
  if (last !== null) yield last
}

/** Takes a text apart into JSON values, each over as many lines as it likes. */
export async function* splitValues(pieces: Pieces, longest: number): AsyncGenerator<ImportItem> {
  const pending = new PendingItem(longest)
  const nesting = new Nesting()
  for await (const piece of pieces) {
    let from = 0
    for (let index = 0; index < piece.length; index++) {
      const before = nesting.depth
      nesting.read(piece[index] as string)
      if (nesting.depth >= before || nesting.depth > 0) continue
      nesting.depth = 0
      pending.append(piece.slice(from, index + 1))
      from = index + 1
      const item = pending.take()
      if (item !== null) yield item
    }
    pending.append(piece.slice(from))
  }
  const last = pending.take()
  if (last !== null) yield last
}

/** Takes the elements out of a text that is one JSON array. */
export async function* splitArray(pieces: Pieces, longest: number): AsyncGenerator<ImportItem> {
  const pending = new PendingItem(longest)
  const marks = new ArrayMarks()
  for await (const piece of pieces) {
    let from = 0
    for (let index = 0; index < piece.length; index++) {
      const mark = marks.read(piece[index] as string)
      if (mark === null) continue
      pending.append(piece.slice(from, index))
      from = index + 1
      if (mark === 'open') pending.drop()
      else if (mark !== 'empty')
        yield pending.take() ?? pending.fault(`There is no record before this ${piece[index]}.`)
    }
    pending.append(piece.slice(from))
  }
  if (!marks.closed) yield pending.fault('The array is never closed: the file may be cut off here.')
  else if (pending.take() !== null) yield pending.fault('Something follows the end of the array.')
}

/** Tells which characters of the text of one array stand around its elements. */
class ArrayMarks {
  closed = false
  private readonly nesting = new Nesting()
  private hasElement = false

  /** `empty` is the end of an array without elements. */
  read(character: string): 'open' | 'comma' | 'close' | 'empty' | null {
    if (this.closed) return null
    const { nesting } = this
    nesting.read(character)
    if (nesting.inString || nesting.depth > 1) {
      this.hasElement = true
      return null
    }
    if (nesting.depth === 0 && character === ']') {
      this.closed = true
      return this.hasElement ? 'close' : 'empty'
    }
    if (nesting.depth !== 1) return null
    if (character === '[' && !this.hasElement) return 'open'
    if (!/\s/.test(character)) this.hasElement = true
    return character === ',' ? 'comma' : null
  }
}
