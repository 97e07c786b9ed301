import type { ImportItem } from './import-item.ts'

/** Collects the text of one record of an import, piece by piece, and knows on which line it starts. */
export class PendingItem {
  private readonly longest: number
  private line = 1
  private text = ''
  private tooLong = false
  private droppedLines = 0

  constructor(longest: number) {
    this.longest = longest
  }

  append(piece: string): void {
    if (!this.tooLong && this.text.length + piece.length <= this.longest) {
      this.text += piece
      return
    }
    // Text that is passed over is not kept, but its lines count.
    this.tooLong = true
    this.droppedLines += countLines(this.text) + countLines(piece)
    this.text = ''
  }

  /** Ends the record; null when there was nothing but white space. */
  take(): ImportItem | null {
    const { text, tooLong } = this
    const line = this.line + (tooLong ? 0 : countLines(text.slice(0, text.search(/\S|$/))))
    this.drop()
    if (tooLong) return { line, fault: `The record is longer than ${this.longest} characters.` }
    return /\S/.test(text) ? { line, text: text.trim() } : null
  }

  /** Forgets what was collected. */
  drop(): void {
    this.line += this.droppedLines + countLines(this.text)
    this.text = ''
    this.tooLong = false
    this.droppedLines = 0
  }

  /** A record that cannot be taken out of the file, at the line that has been reached. */
  fault(fault: string): ImportItem {
    this.drop()
    return { line: this.line, fault }
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}
