import { AppError } from '../../kernel/errors.ts'
import { clip } from '../../query/parse/parse-context.ts'
import { OPTIMADE_ERRORS } from '../errors.ts'

const FORM = /^v(\d{1,4})(?:\.\d{1,4}){0,2}$/

/** Refuses the hint at a major version that is not spoken, where the address leaves the version open. */
export function assertHintedVersion(hint: string | undefined): void {
  if (hint === undefined) return
  const major = FORM.exec(hint)?.[1]
  if (major === '1') return
  if (major !== undefined) throw unsupportedVersion(hint)
  const message = `api_hint is a version such as v1 or v1.1, given ${JSON.stringify(clip(hint, 40))}.`
  throw new AppError(OPTIMADE_ERRORS.invalidParameter, message, { path: 'api_hint', hint: 'Write api_hint=v1.' })
}

/** Refuses a version that is not spoken. */
export function unsupportedVersion(version: string): AppError {
  return new AppError(
    OPTIMADE_ERRORS.unsupportedVersion,
    `Version ${clip(version, 40)} of OPTIMADE is not spoken here. Use /optimade/v1.`,
    { hint: 'Use /optimade/v1.' },
  )
}
