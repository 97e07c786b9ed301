/** How loud an event is: `error` is a fault of the program, `warn` something that an operator should look into. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

/**
 * All that an event can tell beside its name. The list is closed, and has no place for a header, a body, the values of a query, a record
 * or a credential: what has no field cannot be logged by mistake.
 */
export interface EventFields {
  /** The id of the request in whose course it happened, as in `X-Request-Id`. */
  readonly request: string | null
  /** The name of the user who asked, or who is asked for. */
  readonly user: string | null
  /** The slug of the account. */
  readonly account: string | null
  /** Where the request came from: an IP address. */
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
  /** What a query asks, without its values: `lattice.a $gt and name $regex; sort name; limit 20`. */
  readonly shape: string
  /** How it ended, in a word or two. */
  readonly outcome: string
  /** Columns that had to be read from the database first; null where that is not known. */
  readonly columnsLoaded: number | null
  /** Documents that were read because columns could not tell. */
  readonly byDocument: number | null
  /** The id of a record. */
  readonly record: string
  /** The id of a token, which is no secret. */
  readonly tokenId: string
  /** Of the program. */
  readonly version: string
  /** What was being done, in a few words of the program's own. */
  readonly task: string
  /** Why, in words of the program's own or of the system; never a text that a client sent. */
  readonly reason: string
}

export type EventField = keyof EventFields

/** One kind of event. Each room declares its events in its own `events.ts` with `defineEvents`. */
export interface EventSpec<Field extends EventField = EventField> {
  /** What happened to what, as `login.failed`: it never changes its meaning. */
  readonly name: string
  readonly level: LogLevel
  /** One line for the documentation: when it is told. */
  readonly title: string
  /** Whether it is kept in the store as well, for the operator to look it up. */
  readonly audit: boolean
  /** Written at any level of the log, since a setting has asked for it. */
  readonly isAskedFor?: true
  /** What it tells; nothing when left out. */
  readonly fields?: readonly Field[]
}

/** What an event of a spec has to tell. */
export type FieldsOf<Spec> = Spec extends { readonly fields: readonly (infer Field extends EventField)[] }
  ? Pick<EventFields, Field>
  : Readonly<Record<never, never>>

/** Where the rooms tell what happens. Everything that is told is counted, also what is too quiet to be written. */
export interface Log {
  /** `cause` is an error, of which name, message and stack are written. */
  tell<const Spec extends EventSpec>(event: Spec, fields: FieldsOf<Spec>, cause?: unknown): void
  /** How often each event was told, by its name. */
  readonly counts: ReadonlyMap<string, number>
}

/** Declares the events of a room. The values keep their names, so that code reads `STORE_EVENTS.touchFailed`. */
export function defineEvents<const Specs extends Readonly<Record<string, EventSpec>>>(specs: Specs): Specs {
  return Object.freeze(specs)
}

/** For whoever has nobody to tell: tests, and commands that print what they do. */
export const SILENT_LOG: Log = { tell: () => {}, counts: new Map() }
