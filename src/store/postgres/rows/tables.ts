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

const text = (name: string, read?: string): TableColumn => ({
  name,
  type: 'text',
  ...(read === undefined ? {} : { read }),
})
const whole = (name: string): TableColumn => ({ name, type: 'bigint' })
const version = (name: string): TableColumn => ({ name, type: 'integer' })
const truth = (name: string): TableColumn => ({ name, type: 'integer', read: `${name}::integer`, write: `${name} = 1` })

/** Tables whose rows are few for each account, and in the order of their keys. */
export const SMALL_TABLES = {
  key: { name: 'number_key', columns: [{ ...text('key', "encode(key, 'base64')"), write: "decode(key, 'base64')" }] },
  account: {
    name: 'account',
    columns: [
      text('id'),
      text('name'),
      text('name_key'),
      text('slug'),
      text('type'),
      text('email'),
      whole('created_at'),
    ],
  },
  user: {
    name: 'app_user',
    columns: [
      text('id'),
      text('name'),
      text('name_key'),
      text('slug'),
      text('email'),
      text('email_key'),
      text('password_hash'),
      text('default_account'),
      whole('created_at'),
      whole('disabled_at'),
    ],
  },
  membership: { name: 'membership', columns: [text('app_user'), text('account'), text('role')] },
  token: {
    name: 'token',
    columns: [
      text('id'),
      text('kind'),
      text('name'),
      text('hash'),
      text('app_user'),
      text('account'),
      truth('one_account'),
      truth('read_only'),
      whole('created_at'),
      whole('last_used_at'),
      whole('expires_at'),
      whole('ended_at'),
    ],
  },
  loginMeter: { name: 'login_meter', columns: [text('key'), { name: 'empty_at', type: 'double precision' }] },
  knownAddress: { name: 'known_address', columns: [text('app_user'), text('digest'), whole('used_at')] },
  answer: {
    name: 'answer',
    columns: [
      text('home'),
      text('key'),
      whole('place'),
      whole('total'),
      whole('at'),
      text('asked'),
      text('answer'),
      text('serial'),
      text('record'),
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
      whole('place'),
      whole('n'),
      text('collection'),
      text('home'),
      text('id'),
      version('version'),
      truth('is_public'),
      text('doc'),
      text('note'),
      text('removal'),
    ],
  },
  audit: {
    name: 'audit',
    within: ['home'],
    number: 'n',
    columns: [
      whole('n'),
      whole('at'),
      text('action'),
      text('via'),
      text('app_user'),
      text('account'),
      text('address'),
      text('request'),
      text('kind'),
      text('object'),
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
