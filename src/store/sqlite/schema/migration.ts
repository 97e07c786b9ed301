import type { Connection } from '../base/database.ts'

/** One step from a version of the schema to the next. */
export interface Migration {
  /** 1, 2, 3 …; what `PRAGMA user_version` says afterwards. */
  readonly version: number
  readonly name: string
  readonly script: string
  /** Fills what the script made from what was there before. */
  readonly fill?: (connection: Connection) => void
}
