/** One row of the catalogue of warnings. Its code, 200 and two digits, never changes its meaning and is never used again. */
export interface WarningSpec {
  readonly code: number
  /** One line for the documentation: what the code stands for. */
  readonly title: string
}

/** Notice to the reader of an answer: the request was carried out as written, and probably says something else than was meant. */
export interface Warning {
  readonly code: number
  /** Place in the query (`query.latice.a`), parameter, or field of a record. */
  readonly path: string
  /** Problem, place and remedy. */
  readonly message: string
  /** Remedy once more, for programs. */
  readonly hint?: string
}

export function defineWarnings<const Name extends string>(
  specs: Readonly<Record<Name, WarningSpec>>,
): Readonly<Record<Name, WarningSpec>> {
  return Object.freeze(specs)
}

/** Makes a warning; the hint ends the message and is repeated for programs. */
export function warning({ code }: WarningSpec, path: string, message: string, hint?: string): Warning {
  return hint === undefined ? { code, path, message } : { code, path, message: `${message} ${hint}`, hint }
}
