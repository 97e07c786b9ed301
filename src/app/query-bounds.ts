import type { QueryBounds } from '../query/bounds.ts'
import type { Config } from './settings.ts'

/** Picks the settings that bound a query. */
export function queryBounds(config: Config): QueryBounds {
  return {
    maxBytes: config.queryBytes,
    maxDepth: config.queryDepth,
    maxClauses: config.queryClauses,
    maxInValues: config.queryInValues,
  }
}
