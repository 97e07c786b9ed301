import { AppError } from '../../kernel/errors.ts'
import { QUERY_ERRORS } from '../errors.ts'
import type { ExpressionEnvironment } from './environment.ts'

/**
 * How much one expression may do over one document: a step is an operator run, an array element or a field looked at, or
 * 16 characters of text. So it bounds time and memory at once, whatever `$map`, `$range` and `$concat` are nested into.
 */
const MAX_STEPS = 1_000_000

const CHARACTERS_PER_STEP = 16

/** Uses up steps; refuses the expression that has none left. */
export function spend(environment: ExpressionEnvironment, steps: number, place: string): void {
  environment.meter.spent += steps
  if (environment.meter.spent <= MAX_STEPS) return
  throw new AppError(
    QUERY_ERRORS.expressionTooCostly,
    `The expression at ${place} takes more than ${MAX_STEPS} steps over one document.`,
    { path: place, hint: 'Use smaller ranges and fewer nested $map, $filter and $reduce.' },
  )
}

/** The steps that an operator takes to read a value once: its elements, its fields or its text. */
export function stepsToRead(value: unknown): number {
  if (typeof value === 'string') return stepsForText(value.length)
  if (typeof value !== 'object' || value === null || value instanceof Date) return 0
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

/** The steps that a text of this many UTF-16 units is worth. */
export function stepsForText(length: number): number {
  return Math.floor(length / CHARACTERS_PER_STEP)
}
