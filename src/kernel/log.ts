/** Severity of an event: `error` is a fault of the program, `warn` something that an operator should look into. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

/** All that an event can tell beside its name. The list is closed: what has no field, as a credential, cannot be logged by mistake. */
export interface EventFields {
  /** The id of the request in whose course it happened, as in `X-Request-Id`. */
  readonly request: string | null
  /** The name of the user who asked, or who is asked for. */
  readonly user: string | null
  /** The slug of the account. */
  readonly account: string | null
  /** IP address that the request came from. */
  readonly address: string | null
  readonly method: string
  /** The path of a route with its parameters as names, `/materials/:id`; never with a query string. */
  readonly route: string
  /** The HTTP status of the answer. */
  readonly status: number
  /** A row of the error catalogue. */
  readonly code: number
  readonly milliseconds: number
  readonly bytes: number
  readonly count: number
  readonly collection: string
  /** Shape of a query, without its values: `lattice.a $gt and name $regex; sort name; limit 20`. */
  readonly shape: string
  /** Outcome in a word or two. */
  readonly outcome: string
  /** Columns that had to be read from the database first; null where that is not known. */
  readonly columnsLoaded: number | null
  /** Documents that were read because columns could not tell. */
  readonly byDocument: number | null
  /** The id of a record. */
  readonly record: string
  /** The id of a token, which is no secret. */
  readonly tokenId: string
  readonly version: string
  /** Task under way, in a few words of the program's own. */
  readonly task: string
  /** Reason, in words of the program or the system; never a text that a client sent. */
  readonly reason: string
}

export type EventField = keyof EventFields

/** One kind of event. Each room declares its events in its own `events.ts` with `defineEvents`. */
export interface EventSpec<Field extends EventField = EventField> {
  /** Subject and event, as `login.failed`: it never changes its meaning. */
  readonly name: string
  readonly level: LogLevel
  /** One line for the documentation: when it is told. */
  readonly title: string
  /** Whether it is kept in the store as well, for the operator to look it up. */
  readonly audit: boolean
  /** Written at any level of the log, since a setting has asked for it. */
  readonly isAskedFor?: true
  /** Fields it has; none if left out. */
  readonly fields?: readonly Field[]
}

export type FieldsOf<Spec> = Spec extends { readonly fields: readonly (infer Field extends EventField)[] }
  ? Pick<EventFields, Field>
  : Readonly<Record<never, never>>

/** Log of the rooms' events. Every event is counted, also one that is too quiet to be written. */
export interface Log {
  /** `cause` is an error, of which name, message and stack are written. */
  tell<const Spec extends EventSpec>(event: Spec, fields: FieldsOf<Spec>, cause?: unknown): void
  /** Count of each event, by its name. */
  readonly counts: ReadonlyMap<string, number>
}

/** Declares the events of a room. The values keep their names, so that code reads `STORE_EVENTS.touchFailed`. */
export function defineEvents<const Specs extends Readonly<Record<string, EventSpec>>>(specs: Specs): Specs {
  return Object.freeze(specs)
}

/** For whoever has nobody to tell: tests, and commands that print what they do. */
export const SILENT_LOG: Log = { tell: () => {}, counts: new Map() }
