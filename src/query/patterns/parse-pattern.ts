import type { TextPattern } from '../ast/text-pattern.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { type ParseContext, refusal, show } from '../parse/parse-context.ts'
import { compilePattern } from './compile-pattern.ts'
import { PatternProblem } from './pattern-problem.ts'

const MAX_PATTERN_LENGTH = 4_096
/** What all patterns of one query may add up to. */
const MAX_TOTAL_SIZE = 12_000

const SPECS = {
  malformed: QUERY_ERRORS.invalidPattern,
  unsupported: QUERY_ERRORS.unsupportedPattern,
  tooLarge: QUERY_ERRORS.boundExceeded,
} as const

/** Reads a regular expression and its option letters; `u` is allowed and always on. */
export function parseTextPattern(source: string, options: string, context: ParseContext): TextPattern {
  const flags = parseFlags(options, context)
  if (source.length > MAX_PATTERN_LENGTH) {
    throw refusal(
      context,
      QUERY_ERRORS.boundExceeded,
      `The regular expression at ${context.place} has ${source.length} characters; at most ${MAX_PATTERN_LENGTH} are allowed.`,
    )
  }
  const pattern: TextPattern = { source, flags }
  context.counters.patternSize += sizeOrRefuse(pattern, context)
  if (context.counters.patternSize > MAX_TOTAL_SIZE) {
    throw refusal(
      context,
      QUERY_ERRORS.boundExceeded,
      `The regular expressions of the query are too large together; the one at ${context.place} is too many.`,
      'Use fewer of them, or smaller repeats.',
    )
  }
  return pattern
}

function parseFlags(options: string, context: ParseContext): string {
  for (const letter of options) {
    if (!'imsxu'.includes(letter)) {
      throw refusal(
        context,
        QUERY_ERRORS.invalidPattern,
        `The regular expression option ${show(letter)} at ${context.place} is not known.`,
        'The options are i (ignore case), m (lines), s (dot matches line feeds), x (extended) and u (Unicode, always on).',
      )
    }
  }
  return [...'imsx'].filter((letter) => options.includes(letter)).join('')
}

/** Compiles the pattern, which is when it shows whether it can be. */
function sizeOrRefuse(pattern: TextPattern, context: ParseContext): number {
  try {
    return compilePattern(pattern).size
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error
    throw refusal(context, SPECS[error.kind], problemMessage(error, pattern.source, context), error.hint)
  }
}

function problemMessage({ kind, message, offset }: PatternProblem, source: string, context: ParseContext): string {
  const where = `character ${offset + 1} of the regular expression ${show(source)} at ${context.place}`
  if (kind !== 'unsupported') return `${message}: ${where}.`
  return `${message} is not supported: ${where}. Patterns run in linear time (RE2), which this cannot (known difference 1).`
}
