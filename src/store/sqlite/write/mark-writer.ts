import type { Connection } from '../database.ts'
import type { WriteJob } from './write-job.ts'

type MarkJob = Extract<WriteJob, { kind: 'mark' }>

/** Writes marks; one that is to be moved from another value stays as it is where its value is a third one. */
export function markWriter(connection: Connection): (job: MarkJob) => boolean {
  const set = connection.prepare(
    'INSERT INTO mark (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  const add = connection.prepare('INSERT INTO mark (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING')
  const move = connection.prepare('UPDATE mark SET value = ? WHERE name = ? AND value = ?')
  return ({ name, value, from }) => {
    if (from === undefined) return set.run(name, value).changes > 0
    if (from === null) return add.run(name, value).changes > 0
    return move.run(value, name, from).changes > 0
  }
}
