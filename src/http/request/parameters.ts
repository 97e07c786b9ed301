import { AppError } from '../../kernel/errors.ts'
import { clip } from '../../query/parse/parse-context.ts'
import { HTTP_ERRORS } from '../errors.ts'

/** Parameters of a URL or fields of a form, by name; none twice. */
export type Parameters = ReadonlyMap<string, string>

const NONE: Parameters = new Map()

/** Reads `name=value` pairs joined by `&`; `+` and `%20` both mean a space. */
export function readParameters(text: string): Parameters {
  if (text === '') return NONE
  const parameters = new Map<string, string>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals), null)
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1), name)
    if (parameters.has(name)) throw duplicate(name)
    parameters.set(name, value)
  }
  return parameters
}

function decode(text: string, name: string | null): string {
  try {
    return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)
  } catch (cause) {
    const where = name === null ? 'The name of a parameter' : `The value of the parameter ${quoted(name)}`
    throw new AppError(
      HTTP_ERRORS.malformedUrl,
      `${where} is not percent-encoded UTF-8. Encode it as encodeURIComponent does; a lone % is %25.`,
      name === null ? {} : { path: clip(name, 80) },
      cause,
    )
  }
}

function duplicate(name: string): AppError {
  return new AppError(
    HTTP_ERRORS.duplicateParameter,
    `${quoted(name)} is given more than once. Give it once; conditions are joined by $and within query.`,
    { path: clip(name, 80) },
  )
}

/** Writes a name that a client chose into a message. */
export function quoted(name: string): string {
  return JSON.stringify(clip(name, 80))
}
