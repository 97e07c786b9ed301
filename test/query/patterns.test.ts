import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { compilePattern } from '../../src/query/patterns/compile-pattern.ts'
import { PatternProblem } from '../../src/query/patterns/pattern-reader.ts'
import { processorMs } from '../support/processor-time.ts'

const patternOf = (source: string, flags = '') => compilePattern({ source, flags })

describe('a pattern', () => {
  it.each([
    ['(a+)+$', `${'a'.repeat(20_000)}!`],
    ['(a|aa)+$', `${'a'.repeat(20_000)}!`],
    ['(.*)*x', 'a'.repeat(20_000)],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(20_000)],
    ['(x+x+)+y', 'x'.repeat(20_000)],
    ['.*.*.*.*.*=.*', 'a'.repeat(20_000)],
  ])('%s runs in linear time', async (source, text) => {
    expect(await processorMs(() => expect(patternOf(source).test(text)).toBe(false))).toBeLessThan(2_000)
  })

  it.each<readonly [source: string, flags: string, prefix: string, isWhole: boolean]>([
    ['^abc', '', 'abc', true],
    ['\\Aabc', '', 'abc', true],
    ['^abc.*', '', 'abc', true],
    ['^Si\\.O', '', 'Si.O', true],
    ['^\\QSi.\\EO', '', 'Si.O', true],
    ['^a b', 'x', 'ab', true],
    ['^', '', '', true],
    ['^abc$', '', 'abc', false],
    ['^abc?', '', 'ab', false],
    ['^abc*d', '', 'ab', false],
    ['^abc+', '', 'abc', false],
    ['^abc{0,2}', '', 'ab', false],
    ['^ab[cd]', '', 'ab', false],
    ['^ab(c|d)', '', 'ab', false],
    ['^ab|cd', '', '', false],
    ['^ab|^abc', '', '', false],
    ['(^ab)', '', '', false],
    ['abc', '', '', false],
    ['^abc', 'i', '', false],
    ['(?i)^abc', '', '', false],
    ['^a(?i)bc', '', 'a', false],
    ['^abc', 'm', '', false],
    ['^ab.c', '', 'ab', false],
  ])('%s with flags "%s" begins with "%s"', (source, flags, prefix, isWhole) => {
    expect(patternOf(source, flags)).toMatchObject({ literalPrefix: prefix, isLiteralPrefix: isWhole })
  })

  it('finds its first match with what its groups caught', () => {
    expect(patternOf('(?<metal>[A-Z][a-z]?)(x)?O').find('NaCl SiO2', 0)).toEqual({
      index: 5,
      text: 'SiO',
      captures: ['Si', null],
    })
  })

  it('finds the next match from an offset', () => {
    const pattern = patternOf('[0-9]+')
    expect(pattern.find('Al2O3', 0)).toMatchObject({ index: 2, text: '2' })
    expect(pattern.find('Al2O3', 3)).toMatchObject({ index: 4, text: '3' })
    expect(pattern.find('Al2O3', 5)).toBeNull()
  })

  it('does not take the final line feed into a match that ends with $', () => {
    expect(patternOf('b$').find('ab\n', 0)).toEqual({ index: 1, text: 'b', captures: [] })
  })

  it('never fails in another way than by a problem that it names', () => {
    const piece = fc.constantFrom(...'()[]{}*+?|^$.\\-,:!<>=#abz019AZQEdDwWsSbBxupkgRKNnPC é😀\n'.split(''))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), fc.subarray([...'imsx']), fc.string(), (pieces, flags, text) => {
        try {
          patternOf(pieces.join(''), flags.join('')).test(text)
        } catch (error) {
          expect(error).toBeInstanceOf(PatternProblem)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('agrees with its engine where both dialects agree', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '(a|b)',
      '(?:ab)',
      '\\d',
      '\\w',
      'a*',
      'b+',
      'a?',
      'b{2}',
      'a*?',
    )
    const text = fc.array(fc.constantFrom('a', 'b', '1', ' ', 'é'), { maxLength: 8 }).map((letters) => letters.join(''))
    fc.assert(
      fc.property(fc.array(atom, { maxLength: 5 }), fc.boolean(), text, (atoms, anchored, subject) => {
        const source = `${anchored ? '^' : ''}${atoms.join('')}`
        expect(patternOf(source).test(subject)).toBe(RE2JS.compile(source).matcher(subject).find())
      }),
      { numRuns: 2_000 },
    )
  })

  it('says a prefix only when every match has it', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '(a|b)', 'a*', 'b+', 'a?', '|', '$', '.*', '(?i)')
    const text = fc.array(fc.constantFrom('a', 'b', 'A', '\n'), { maxLength: 6 }).map((letters) => letters.join(''))
    fc.assert(
      fc.property(fc.array(atom, { maxLength: 5 }), text, (atoms, subject) => {
        const source = `^${atoms.join('')}`
        let pattern: ReturnType<typeof patternOf>
        try {
          pattern = patternOf(source)
        } catch {
          return
        }
        const found = pattern.find(subject, 0) !== null
        expect(pattern.test(subject)).toBe(found)
        if (found) expect(subject.startsWith(pattern.literalPrefix)).toBe(true)
        if (pattern.isLiteralPrefix) expect(found).toBe(subject.startsWith(pattern.literalPrefix))
      }),
      { numRuns: 3_000 },
    )
  })
})
