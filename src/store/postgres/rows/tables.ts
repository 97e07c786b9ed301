import { MOVE_MARK, type RowKindName } from '../../port/rows.ts'
import { REMAKING_MARK } from '../write/remake-segments.ts'

/** A column as it is read, and what of it is written: its name, its type, and an expression where the two differ. */
export interface TableColumn {
  readonly name: string
  readonly type: 'text' | 'bigint' | 'integer' | 'double precision'
  /** Expression that reads it. */
  readonly read?: string
  /** Expression that writes it, made of what is given. */
  readonly write?: string
}

/** The table of a kind, with columns in the order of those of the port. */
export interface Table {
  readonly name: string
  readonly columns: readonly TableColumn[]
}

const text = (name: string): TableColumn => ({ name, type: 'text' })
const texts = (...names: readonly string[]): readonly TableColumn[] => names.map(text)
const whole = (name: string): TableColumn => ({ name, type: 'bigint' })
const wholes = (...names: readonly string[]): readonly TableColumn[] => names.map(whole)
const version = (name: string): TableColumn => ({ name, type: 'integer' })
const truth = (name: string): TableColumn => ({ name, type: 'integer', read: `${name}::integer`, write: `${name} = 1` })

/** Tables whose rows are few for each account, and in the order of their keys. */
export const SMALL_TABLES = {
  key: {
    name: 'number_key',
    columns: [{ ...text('key'), read: "encode(key, 'base64')", write: "decode(key, 'base64')" }],
  },
  account: {
    name: 'account',
    columns: [
      ...texts('id', 'name', 'name_key', 'slug', 'type', 'email'),
      whole('created_at'),
      ...texts('title', 'description'),
    ],
  },
  user: {
    name: 'app_user',
    columns: [
      ...texts('id', 'name', 'name_key', 'slug', 'email', 'email_key', 'password_hash', 'default_account'),
      ...wholes('created_at', 'disabled_at'),
    ],
  },
  membership: { name: 'membership', columns: [text('app_user'), text('account'), text('role')] },
  token: {
    name: 'token',
    columns: [
      ...texts('id', 'kind', 'name', 'hash', 'app_user', 'account'),
      truth('one_account'),
      truth('read_only'),
      ...wholes('created_at', 'last_used_at', 'expires_at', 'ended_at'),
    ],
  },
  loginMeter: { name: 'login_meter', columns: [text('key'), { name: 'empty_at', type: 'double precision' }] },
  knownAddress: { name: 'known_address', columns: [text('app_user'), text('digest'), whole('used_at')] },
  answer: {
    name: 'answer',
    columns: [
      ...texts('home', 'key'),
      ...wholes('place', 'total', 'at'),
      ...texts('asked', 'answer', 'serial', 'record'),
    ],
  },
  mark: { name: 'mark', columns: [text('name'), text('value')] },
} as const satisfies Partial<Record<RowKindName, Table>>

/** Marks that are of this store alone. */
export const OWN_MARKS = [MOVE_MARK, REMAKING_MARK]

/** Numbers given out, and their sequences. */
export const GIVEN = [
  ['record', 'record_number'],
  ['removed', 'removed_place'],
] as const

/** A table that is spread over homes, whose rows are in the order of a number over all of them. */
export interface SpreadTable extends Table {
  /** Names a home, or a home and collection: with a number, a key of the table. */
  readonly within: readonly string[]
  readonly number: 'n' | 'place'
}

const HOME_OF_RECORD = "home = 'public:0'"

export const SPREAD_TABLES = {
  record: {
    name: 'record',
    within: ['home', 'collection'],
    number: 'n',
    columns: [
      whole('n'),
      text('collection'),
      {
        name: 'home',
        type: 'integer',
        read: `(${HOME_OF_RECORD})::integer`,
        write: `CASE home WHEN 1 THEN 'public:0' ELSE owner END`,
      },
      text('owner'),
      text('id'),
      version('version'),
      truth('is_default'),
      text('doc'),
      text('note'),
      whole('gave_up_ms'),
    ],
  },
  revision: {
    name: 'revision',
    within: ['home'],
    number: 'n',
    columns: [whole('n'), version('version'), text('home'), text('doc'), text('note')],
  },
  removed: {
    name: 'removed',
    within: ['home', 'collection'],
    number: 'place',
    columns: [
      ...wholes('place', 'n'),
      ...texts('collection', 'home', 'id'),
      version('version'),
      truth('is_public'),
      ...texts('doc', 'note', 'removal'),
    ],
  },
  audit: {
    name: 'audit',
    within: ['home'],
    number: 'n',
    columns: [
      ...wholes('n', 'at'),
      ...texts('action', 'via', 'app_user', 'account', 'address', 'request', 'kind', 'object'),
      version('version'),
      text('details'),
    ],
  },
} as const satisfies Partial<Record<RowKindName, SpreadTable>>

export function readColumns({ columns }: Table): string {
  return columns.map(({ name, read }) => read ?? name).join(', ')
}

/** The statement that inserts rows of which each column is given as an array; `more` are columns that follow from these, by expression. */
export function insertionInto({ name, columns }: Table, more: Readonly<Record<string, string>> = {}): string {
  const names = [...columns.map((column) => column.name), ...Object.keys(more)]
  const values = [...columns.map((column) => column.write ?? column.name), ...Object.values(more)]
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${type}[]`)
  return `INSERT INTO ${name} (${names.join(', ')}) SELECT ${values.join(', ')}
    FROM unnest(${arrays.join(', ')}) AS row (${columns.map((column) => column.name).join(', ')})`
}
