import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const SRC = new URL('../../src/', import.meta.url)
const MOST_PERCENT = 3

/** A comment of several lines is taken by its first one, and so is a row of `//`. */
const COMMENT = /\/\*\*?[ \t]*(?:\n\s*\*[ \t]*)?([^\n]*)|^[ \t]*\/\/[ \t]?(.*)$/gm
/** Begins neither with a noun nor with a verb. */
const WITHOUT_SUBJECT =
  /^(?:What|Whatever|Who|Whoever|Whom|Whose|Which|Whichever|Where|Wherever|How|When|Whenever|Why|Of)\b/

function commentsOf(text: string): readonly string[] {
  return [...text.matchAll(COMMENT)].flatMap((found) => {
    const [, block, line] = found
    const before = text.slice(0, found.index).trimEnd().split('\n').at(-1)?.trim() ?? ''
    if (line !== undefined && before.startsWith('//')) return []
    const said = (block ?? line ?? '').trim()
    return said === '' || said.startsWith('biome-ignore') ? [] : [said]
  })
}

it('comments of src begin with a noun or a verb, but for a few', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const comments = files.flatMap((file) =>
    commentsOf(readFileSync(new URL(file, SRC), 'utf8')).map((said) => ({ file, said })),
  )
  const without = comments.filter(({ said }) => WITHOUT_SUBJECT.test(said))
  expect(comments.length).toBeGreaterThan(5000)
  const told = without.map(({ file, said }) => `${file}: ${said}`).join('\n')
  expect((100 * without.length) / comments.length, told).toBeLessThanOrEqual(MOST_PERCENT)
})

it('tells those without from the others', () => {
  const text =
    '/** What is there. */\n/** Number of rows. */\n// Whose turn it is.\n// It waits.\n/**\n * How it goes.\n */\n'
  expect(commentsOf(text)).toEqual(['What is there. */', 'Number of rows. */', 'Whose turn it is.', 'How it goes.'])
})
