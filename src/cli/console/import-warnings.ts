import { tell, withHint } from './output.ts'

/** Of one kind, more are counted, and told by `--json` alone. */
const MOST_TOLD = 3
/** Kinds of texts without a code: a place in a file could make each its own. */
const MOST_KINDS = 100

interface ToldKind {
  readonly message: string
  count: number
}

/** A warning of a record or a structure, or the text of one of a calculation. */
type ToldWarning = string | { readonly code: string | number; readonly message: string; readonly hint?: unknown }

/** Warnings of an import: the first ones of each kind are told at once, all are counted by kind. */
export class ImportWarnings {
  readonly #kinds = new Map<string, ToldKind>()
  /** Records, structures or calculations that had some. */
  #records = 0

  note(place: string, warnings: readonly ToldWarning[]): void {
    if (warnings.length > 0) this.#records += 1
    for (const warning of warnings) {
      const message = typeof warning === 'string' ? warning : withHint(warning)
      const kind = this.#kindOf(warning, message)
      kind.count += 1
      if (kind.count <= MOST_TOLD) tell(`${place}: warning: ${message}`)
    }
  }

  /** Says how many there were of each kind, where some were not told. */
  tellCounts(): void {
    const kinds = [...this.#kinds.values()].sort((one, other) => other.count - one.count)
    if (kinds.every(({ count }) => count <= MOST_TOLD)) return
    tell(`warnings for ${this.#records} of them; of each kind the first ${MOST_TOLD} are above, --json prints all:`)
    for (const { message, count } of kinds) tell(`  ${count} × ${message}`)
  }

  #kindOf(warning: ToldWarning, message: string): ToldKind {
    const name = typeof warning === 'string' ? warning.replace(/\d+/g, '#') : String(warning.code)
    const [key, said] = this.#kinds.has(name) || this.#kinds.size < MOST_KINDS ? [name, message] : ['', 'others']
    const kind = this.#kinds.get(key) ?? { message: said, count: 0 }
    this.#kinds.set(key, kind)
    return kind
  }
}
