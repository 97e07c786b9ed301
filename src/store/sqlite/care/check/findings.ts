import { AppError } from '../../../../kernel/errors.ts'

/** A damaged file can have a finding for every record; the first ones tell enough. */
const MOST_FINDINGS = 100

/** Findings of a check, one sentence each: the first ones, and their number. */
export class Findings {
  readonly #first: string[] = []
  #count = 0
  /** Notes for readers of the findings that are no faults. */
  readonly remarks: string[] = []

  get count(): number {
    return this.#count
  }

  add(finding: string): void {
    this.#count += 1
    if (this.#first.length < MOST_FINDINGS) this.#first.push(finding)
  }

  addAll(findings: Iterable<string>): void {
    for (const finding of findings) this.add(finding)
  }

  /** Looks at a part of the database; that it cannot be read is a finding like any other, and null. */
  attempt<T>(part: string, look: () => T): T | null {
    try {
      return look()
    } catch (error) {
      this.add(`${part} cannot be read: ${readFault(error)}.`)
      return null
    }
  }

  read(): readonly string[] {
    const more = this.#count - this.#first.length
    return more === 0 ? [...this.#first] : [...this.#first, `There are ${more} more findings.`]
  }
}

/** Report of a check. */
export interface CheckReport {
  /** One sentence for each fault. */
  readonly findings: readonly string[]
  /** Sentences about what was not looked at, and why that is no fault. */
  readonly remarks: readonly string[]
}

/** Reason of a failed read, in words that finish a sentence. */
export function readFault(error: unknown): string {
  if (error instanceof AppError) return error.message.replace(/\.$/, '')
  const { code = '', message = String(error) } = error as { readonly code?: string; readonly message?: string }
  if (code.startsWith('SQLITE_CORRUPT')) return 'a page of it is damaged'
  if (code.startsWith('SQLITE_NOTADB')) return 'it is no SQLite database, or its first page is damaged'
  if (code.startsWith('SQLITE_IOERR')) return `the disk reports an error (${code})`
  return message
}
