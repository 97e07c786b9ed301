import { AppError } from '../../kernel/errors.ts'
import { nearestName } from '../../kernel/nearest-name.ts'
import { clip } from '../../query/parse/parse-context.ts'
import { OPTIMADE_ERRORS } from '../errors.ts'
import { STRUCTURE_PROPERTIES } from './properties.ts'
import { PROVIDER_PREFIX } from './property.ts'

const PREFIXED = /^_[a-z0-9]+_./

/** Tells whether a name belongs to another provider, whose properties are unknown here and no error. */
export function isForeign(name: string): boolean {
  return PREFIXED.test(name) && !name.startsWith(`_${PROVIDER_PREFIX}_`)
}

/** Refuses the name of a property that there is not, in the parameter that has it. */
export function unknownProperty(name: string, parameter: string, column?: number): AppError {
  const near = nearestName(name, STRUCTURE_PROPERTIES.keys())
  const hint = near === null ? 'info/structures lists those that there are.' : `Did you mean ${near}?`
  const where = column === undefined ? `in ${parameter}` : `at column ${column} of the ${parameter}`
  const place = column === undefined ? { path: parameter } : { path: parameter, column }
  return new AppError(
    OPTIMADE_ERRORS.unknownProperty,
    `Structures have no property ${JSON.stringify(clip(name, 80))}, ${where}. ${hint}`,
    { ...place, hint },
  )
}

/** Says that a name of another provider was taken for a property that is unknown. */
export function foreignWarning(name: string, parameter: string): string {
  return `The property ${clip(name, 80)} in ${parameter} belongs to another provider: it is unknown for every structure here.`
}
