import { writeFileSync } from 'node:fs'
import type { Database } from '../corpus/postgres-data-set.ts'
import { type RightAnswers, recordsFor } from '../measure/measure-server.ts'
import { type AskedWorkload, judgedListsOf } from '../never-asked.ts'
import { askingOf, type Contestant } from './contestant.ts'
import { peerFile } from './peers.ts'
import { API } from './quarry.ts'

/** The homes of public records and of the requester. */
const homesOf = ({ credentials }: Database) => ['public:0', credentials['X-Account-Id']]

const asking = askingOf(`${API}/materials`)

/**
 * The floor over PostgreSQL: a script on the library that Quarry uses, which is told what the answers are and fetches their rows by key. `file` is
 * where it is told.
 */
export function barePostgresOver(
  file: string,
  database: Database,
  workloads: readonly AskedWorkload[],
  right: RightAnswers,
): Contestant {
  const lists = workloads.flatMap(judgedListsOf).map((list) => {
    const { fields } = list.projection
    const ids = (right.lists.get(list.id)?.documents ?? []).map(({ _id }) => _id)
    return [
      asking.list(list).target,
      { ids, isList: true, fields: fields === undefined ? null : Object.keys(fields) },
    ] as const
  })
  const records = workloads
    .flatMap((workload) => recordsFor(right, workload))
    .map(({ _id }) => [asking.read(_id).target, { ids: [_id], isList: false, fields: null }] as const)
  writeFileSync(file, JSON.stringify({ homes: homesOf(database), answers: Object.fromEntries([...lists, ...records]) }))
  return {
    name: 'bare-postgres',
    title: 'a bare script on the same library: the same rows by key over node:http',
    role: 'floor',
    sees: 'visible',
    command: { file: peerFile('bare-postgres'), args: [database.url, file], helpers: [database.pid] },
    ...asking,
  }
}
