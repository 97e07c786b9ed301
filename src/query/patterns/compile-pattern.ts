import { RE2JS } from 're2js'
import type { TextPattern } from '../ast/expression.ts'
import { type ParseContext, refusal, show } from '../context.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { COMPILED_PATTERN, type CompiledPattern, type TextMatch } from '../values/expression-value.ts'
import type { Translation } from './pattern-builder.ts'
import { PatternProblem } from './pattern-reader.ts'
import { translatePattern } from './translate-pattern.ts'

const known = new WeakMap<TextPattern, CompiledPattern>()

/** Prepares a pattern for use, once; throws `PatternProblem`, never for one that has been prepared before. */
export function compilePattern(pattern: TextPattern): CompiledPattern {
  const compiled = known.get(pattern) ?? new Re2Pattern(pattern)
  known.set(pattern, compiled)
  return compiled
}

function translationOf({ source, flags }: TextPattern): Translation {
  return translatePattern(source, {
    i: flags.includes('i'),
    m: flags.includes('m'),
    s: flags.includes('s'),
    x: flags.includes('x'),
  })
}

function compileEngine(re2: string): RE2JS {
  try {
    return RE2JS.compile(re2)
  } catch (error) {
    // The engine's own words may quote the translated pattern, which the client has not seen.
    const reason = error instanceof Error ? error.message : ''
    if (/repeat count|too large|nesting depth/.test(reason)) {
      throw new PatternProblem('tooLarge', 'The pattern repeats or nests too much', 0)
    }
    if (/duplicate/.test(reason)) throw new PatternProblem('malformed', 'Two groups have the same name', 0)
    throw new PatternProblem(
      'malformed',
      'The pattern names a Unicode property that is not known, or is not well formed',
      0,
    )
  }
}

class Re2Pattern implements CompiledPattern {
  readonly [COMPILED_PATTERN] = true
  readonly pattern: TextPattern
  readonly size: number
  readonly literalPrefix: string
  readonly isLiteralPrefix: boolean
  readonly test: (text: string) => boolean
  readonly #translation: Translation
  #compiled: RE2JS | null = null

  constructor(pattern: TextPattern) {
    const translation = translationOf(pattern)
    this.pattern = pattern
    this.size = translation.size
    this.literalPrefix = translation.literalPrefix
    this.isLiteralPrefix = translation.isLiteralPrefix
    this.#translation = translation
    this.test = this.#fastestTest()
  }

  find(text: string, from: number): TextMatch | null {
    const whole = this.#findIn(text, from)
    const { hasSoftEnd } = this.#translation
    if (!hasSoftEnd || !text.endsWith('\n') || from >= text.length) return whole
    const before = this.#findIn(text.slice(0, -1), from)
    if (before === null || whole === null) return whole ?? before
    return before.index < whole.index ? before : whole
  }

  /** Form in messages. */
  toJSON(): TextPattern {
    return this.pattern
  }

  /** Compiled at once where the pattern needs it to test, and not before it is asked to find where it does not. */
  get #engine(): RE2JS {
    this.#compiled ??= compileEngine(this.#translation.re2)
    return this.#compiled
  }

  #findIn(text: string, from: number): TextMatch | null {
    const matcher = this.#engine.matcher(text)
    if (!matcher.find(from)) return null
    const index = matcher.start()
    if (this.#isPhantomLineStart(text, index)) return null
    const captures = Array.from({ length: matcher.groupCount() }, (_, group) => matcher.group(group + 1))
    return { index, text: text.slice(index, matcher.end()), captures }
  }

  /** RE2 lets `^` with `m` hold after a line feed that ends the text; PCRE does not. */
  #isPhantomLineStart(text: string, index: number): boolean {
    return this.#translation.hasLineStart && index === text.length && text.endsWith('\n')
  }

  #fastestTest(): (text: string) => boolean {
    const { literalPrefix, isLiteralPrefix, plainText, hasSoftEnd, hasLineStart } = this.#translation
    if (isLiteralPrefix) return (text) => text.startsWith(literalPrefix)
    if (plainText !== null) return (text) => text.includes(plainText)
    const engine = this.#engine
    if (hasSoftEnd || hasLineStart) return (text) => this.find(text, 0) !== null
    return (text) => engine.test(text)
  }
}

export const MAX_PATTERN_LENGTH = 4_096
/** Limit of all patterns of one query together. */
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
