import { ROW_KINDS, type RowKindName } from '../../port/rows.ts'

/** Source of a kind's rows: its table with what has to be joined, and an expression for each column. */
interface Relation {
  readonly from: string
  readonly columns: readonly string[]
}

/** A row whose collection or account is lost is there all the same, and told. */
const ofRecord = 'LEFT JOIN collection ON collection.number = r.collection LEFT JOIN owner ON owner.number = r.owner'

/** A kind whose table has the name and columns of the port, in the spelling of SQL. */
function plain(kind: RowKindName): Relation {
  return { from: snakeCase(kind), columns: ROW_KINDS[kind].columns.map(snakeCase) }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** In the order of the columns of the port. */
export const RELATIONS: Readonly<Record<RowKindName, Relation>> = {
  key: { from: 'number_key', columns: ['key'] },
  account: plain('account'),
  user: plain('user'),
  membership: plain('membership'),
  token: plain('token'),
  loginMeter: plain('loginMeter'),
  knownAddress: plain('knownAddress'),
  // biome-ignore format: a row of names
  record: {
    from: `record r ${ofRecord}`,
    columns: [
      'r.n', 'collection.name', 'r.scope = 0', 'owner.account', 'r.id', 'r.version',
      'r.is_default', 'r.doc', 'r.note', 'r.gave_up_ms',
    ],
  },
  revision: {
    from: `revision r LEFT JOIN record ON record.n = r.n LEFT JOIN removed ON removed.n = r.n
      LEFT JOIN owner ON owner.number = coalesce(record.owner, removed.owner)`,
    columns: ['r.n', 'r.version', 'owner.account', 'r.doc', 'r.note'],
  },
  // biome-ignore format: a row of names
  removed: {
    from: `removed r ${ofRecord}`,
    columns: [
      'r.place', 'r.n', 'collection.name', 'owner.account', 'r.id', 'r.version',
      'r.is_public', 'r.doc', 'r.note', 'r.removal',
    ],
  },
  audit: plain('audit'),
  answer: plain('answer'),
  given: {
    from: `(SELECT name, max(seq) AS seq FROM (
        SELECT name, seq FROM sqlite_sequence WHERE name IN ('record', 'removed') UNION ALL VALUES ('record', 0), ('removed', 0)
      ) GROUP BY name)`,
    columns: ['name', 'seq'],
  },
  mark: { from: "(SELECT name, value FROM mark WHERE name NOT IN ('move', 'reindex'))", columns: ['name', 'value'] },
  usage: {
    from: '(SELECT account, records, bytes FROM usage JOIN owner ON owner.number = usage.owner WHERE records > 0)',
    columns: ['account', 'records', 'bytes'],
  },
}
