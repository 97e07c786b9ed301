import type { Json, JsonBytes } from '../kernel/json.ts'
import type { NestedName } from '../kernel/json-fields.ts'
import { EVERYTHING } from '../query/ast/filter.ts'
import { ALWAYS_UNKNOWN, scalarField } from './fields.ts'
import type { Queryable, ScalarType } from './queryable.ts'
import { STRUCTURE_FIELDS, type StructureSource } from './structure-source.ts'

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
  /** Fields of the record that the value follows from, by the first name of their paths. */
  readonly reads: readonly string[]
  /** The field within one of them that is passed on as it is. */
  readonly inner?: string | undefined
  /** Writes the value as JSON. */
  readonly write: (source: StructureSource, out: JsonBytes) => void
  readonly queryable: Queryable
}

/** Makes the writer of what has to be worked out. */
export function written(value: (source: StructureSource) => Json): Property['write'] {
  return (source, out) => out.json(JSON.stringify(value(source)))
}

/** Makes the writer of what is passed on as it is. */
export function copied(path: string): Property['write'] {
  const fields = nestedName(path)
  return (source, out) => source.copy(fields, out)
}

/** A field of the record as it is. */
export function own(path: string, type: ScalarType, always: 'always' | 'perhaps', description: string): Property {
  const [name, inner] = nestedName(path)
  return {
    description,
    type,
    isDefault: true,
    reads: [name],
    inner,
    write: copied(path),
    queryable: scalarField(path, type, always),
  }
}

/** A property of the specification that no structure here has. */
export function unset(description: string): Property {
  return {
    description,
    type: 'string',
    isDefault: false,
    reads: [],
    write: written(() => null),
    queryable: ALWAYS_UNKNOWN,
  }
}

function nestedName(path: string): NestedName {
  const [name = '', inner] = path.split('.')
  return [name, inner]
}

/** In the answer and always known, but without operators: what filters cannot ask is refused. */
const NOT_COMPARED: Queryable = { known: EVERYTHING }

/** A list in the answer that follows from cell and sites; filters ask what `queryable` has. */
export function answered(
  description: string,
  value: (source: StructureSource) => Json,
  queryable: Queryable = NOT_COMPARED,
): Property {
  return { description, type: 'list', isDefault: true, reads: STRUCTURE_FIELDS, write: written(value), queryable }
}
