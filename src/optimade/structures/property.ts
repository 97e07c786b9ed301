import type { Json } from '../../kernel/json.ts'
import type { Queryable } from '../queries/queryable.ts'
import type { StructureSource } from './structure-source.ts'

/** The prefix of names that are this server's own: `_quarry_hash`. */
export const PROVIDER_PREFIX = 'quarry'

/** One property of a structure: what it is, what it is in an answer, and how filters ask about it. */
export interface Property {
  readonly description: string
  /** The type as OPTIMADE names them. */
  readonly type: 'string' | 'integer' | 'float' | 'timestamp' | 'list'
  readonly unit?: string
  /** False for properties that an answer has only when `response_fields` names them. */
  readonly isDefault: boolean
  readonly value: (source: StructureSource) => Json
  readonly queryable: Queryable
}
