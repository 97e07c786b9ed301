import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ROW = /^\| ([a-z ]+) \| .+ \| `([\w/-]+\.ts)` \|$/

/** The words that ARCHITECTURE.md has under "Words", each with its file. */
const words = (() => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const section = text.split('## Words\n')[1]?.split('\n## ')[0] ?? ''
  return section.split('\n').flatMap((line) => {
    const [, word, file] = ROW.exec(line) ?? []
    return word === undefined || file === undefined ? [] : [{ word, file }]
  })
})()

describe('the words of the project', () => {
  it('are there, each once, in their order', () => {
    const named = words.map(({ word }) => word)
    expect(named.length).toBeGreaterThan(10)
    expect(named.length).toBeLessThanOrEqual(25)
    expect(named).toEqual([...new Set(named)].toSorted())
  })

  it.each(words)('$word is at home in src/$file', ({ word, file }) => {
    const path = join(ROOT, 'src', file)
    expect(existsSync(path)).toBe(true)
    // Of two words, each is a part of a name: `cut text` is `CUT_BYTES` and `cut`.
    const text = readFileSync(path, 'utf8').toLowerCase()
    for (const part of word.split(' ')) expect(text).toContain(part)
  })
})
