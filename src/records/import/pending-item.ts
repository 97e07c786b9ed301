import { type BlankRun, blankAfter, countLines } from './blank.ts'
import type { ImportItem } from './import-item.ts'
import { invalidImport } from './invalid-import.ts'

/** Collects the bytes of one record of an import, piece by piece, and knows on which line it starts. What is not kept takes no memory. */
export class PendingItem {
  private readonly longest: number
  private readonly blank: BlankRun
  private start = 1
  private parts: Uint8Array[] = []
  private length = 0

  /** Goes on after white space that was passed over. */
  constructor(longest: number, blank: BlankRun) {
    this.longest = longest
    this.blank = blank
  }

  append(piece: Uint8Array): void {
    const kept = this.length === 0 ? this.blank.skip(piece) : piece
    if (kept.length === 0) return
    if (this.length === 0) this.start = this.blank.line
    this.blank.line += countLines(kept)
    this.length += kept.length
    if (this.length > this.longest) this.parts = []
    else this.parts.push(kept)
  }

  /** Ends the record; null when there was nothing but white space. */
  take(): ImportItem | null {
    const { start: line, length, parts } = this
    this.drop()
    if (length === 0) return null
    if (length > this.longest) {
      return { place: { line }, refusal: invalidImport(`The record is longer than ${this.longest} bytes.`) }
    }
    // A copy: a piece of a larger buffer would keep all of it.
    const whole = Buffer.concat(parts, length)
    return { place: { line }, json: whole.subarray(0, blankAfter(whole)) }
  }

  /** Forgets what was collected. */
  drop(): void {
    this.parts = []
    this.length = 0
  }

  /** A record that cannot be taken out of the file, at the line that has been reached. */
  fault(message: string): ImportItem {
    this.drop()
    return { place: { line: this.blank.line }, refusal: invalidImport(message) }
  }
}
