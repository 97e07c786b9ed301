import { type Warning, type WarningSpec, warning } from '../../kernel/warnings.ts'

/** More of them are read by nobody. */
const MOST_WARNINGS = 20

/** The warnings of one request, each about one field once. */
export class WarningList {
  readonly #warnings: Warning[] = []
  readonly #told = new Set<string>()

  get all(): readonly Warning[] {
    return this.#warnings
  }

  /** True when there is no room for another. */
  get isFull(): boolean {
    return this.#warnings.length >= MOST_WARNINGS
  }

  /** Adds a warning about `subject` at a place, unless there is one of the kind about it already. */
  add(spec: WarningSpec, subject: string, place: string, message: string, hint?: string): void {
    const name = `${spec.code} ${subject}`
    if (this.isFull || this.#told.has(name)) return
    this.#told.add(name)
    this.#warnings.push(warning(spec, place, message, hint))
  }
}
