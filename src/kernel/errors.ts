/** One row of the error catalogue. Its code, the HTTP status and two digits, never changes its meaning and is never used again. */
export interface ErrorSpec {
  /** Status and two digits, for instance 40003. */
  readonly code: number
  /** One line for the documentation: what the code stands for. */
  readonly title: string
}

/** Data of one occurrence of an error, beyond its message; everything here reaches the client. */
export interface ErrorData {
  /** Path in the query (`query.$and[1].lattice.a.$gtt`), parameter name, or JSON pointer. */
  readonly path?: string
  readonly hint?: string
  readonly [key: string]: unknown
}

/** An error that may reach a person: from the catalogue, with a message that says what, where and what would be right. */
export class AppError extends Error {
  readonly spec: ErrorSpec
  readonly data: ErrorData

  /** `cause` goes to the log only. */
  constructor(spec: ErrorSpec, message: string, data: ErrorData = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'AppError'
    this.spec = spec
    this.data = data
  }

  get code(): number {
    return this.spec.code
  }

  /** The HTTP status, which is what the first three digits of a code are. */
  get status(): number {
    return Math.floor(this.spec.code / 100)
  }
}

/** Whether an error is of a row of the catalogue. Goes by the code: an error that comes from another thread brings a copy of its row. */
export function isOf(spec: ErrorSpec, error: unknown): error is AppError {
  return error instanceof AppError && error.code === spec.code
}

/** An error of the catalogue as plain data, on its way to another thread. */
export interface PackedError {
  readonly spec: ErrorSpec
  readonly message: string
  readonly data: ErrorData
}

/** Packs an error; its cause stays behind. */
export function packError({ spec, message, data }: AppError): PackedError {
  return { spec, message, data }
}

export function unpackError({ spec, message, data }: PackedError): AppError {
  return new AppError(spec, message, data)
}

/** Declares a room's part of the catalogue. The values keep their names, so that code reads `QUERY_ERRORS.unknownOperator`. */
export function defineErrors<const Name extends string>(
  specs: Readonly<Record<Name, ErrorSpec>>,
): Readonly<Record<Name, ErrorSpec>> {
  return Object.freeze(specs)
}

/** Fails a branch that the types say cannot be reached; a programming error, never a client's. */
export function assertNever(value: never, what: string): never {
  throw new Error(`unreachable ${what}: ${JSON.stringify(value)}`)
}
