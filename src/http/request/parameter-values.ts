import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { type Parameters, quoted } from './parameters.ts'

/** Reads a parameter that is `true` or `false`; false when it is left out. */
export function readSwitch(parameters: Parameters, name: string): boolean {
  const text = parameters.get(name)
  if (text === undefined || text === 'false') return false
  if (text === 'true') return true
  throw invalidParameter(name, text, 'true or false')
}

/** Reads a whole number within bounds; undefined when it is left out. */
export function readWholeNumber(parameters: Parameters, name: string, least: number, most: number): number | undefined {
  const text = parameters.get(name)
  if (text === undefined) return undefined
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw invalidParameter(name, text, `a whole number from ${least} to ${most}`)
}

/** Reads `?revision=`. */
export function readRevision(parameters: Parameters): number | undefined {
  return readWholeNumber(parameters, 'revision', 1, Number.MAX_SAFE_INTEGER)
}

/** Reads the id of an account; undefined when it is left out. */
export function readAccountId(parameters: Parameters): { readonly accountId?: string } {
  const accountId = parameters.get('accountId')
  if (accountId === '') throw invalidParameter('accountId', '', 'the _id of an account; left out, it is yours')
  return accountId === undefined ? {} : { accountId }
}

/** Makes the refusal of a value, with what the parameter takes. */
export function invalidParameter(name: string, text: string, expected: string): AppError {
  return new AppError(
    HTTP_ERRORS.invalidParameter,
    `The parameter ${quoted(name)} takes ${expected}; not ${quoted(text)}.`,
    { path: name },
  )
}
