import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readSourceTree } from '../../scripts/house/source-tree.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const page = readFileSync(`${ROOT}docs/architecture/flows.md`, 'utf8')
const tree = new Map(
  readSourceTree(`${ROOT}src`).map(({ path, functions }) => [
    path.replace(/\.ts$/, ''),
    new Set(functions.map(({ name }) => name)),
  ]),
)
const DIAGRAMS = [...page.matchAll(/^\*\*(?:A|An) (\w+)\.?\*\*[\s\S]*?```mermaid\n([\s\S]*?)```/gm)].map(
  ([, name = '', text = '']) => [name, text] as const,
)

const linesOf = (text: string, begins: RegExp): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => begins.test(line))

describe('the diagrams of docs/architecture/flows.md', () => {
  it('show a list, a write, a seal and a merge', () => {
    expect(DIAGRAMS.map(([name]) => name)).toEqual(['list', 'write', 'seal', 'merge'])
    expect(page.match(/```mermaid/g)).toHaveLength(DIAGRAMS.length)
  })

  it.each(DIAGRAMS)('of a %s name functions that are there', (_, text) => {
    const arrows = linesOf(text, /->/)
    const lost = arrows.filter((arrow) => {
      const [, name = '', file = ''] = /: (\w+) \(([\w/-]+)\)$/.exec(arrow) ?? []
      return tree.get(file)?.has(name) !== true
    })
    expect(lost, `no such function in src: ${lost.join('; ')}`).toEqual([])
    expect(arrows.length).toBeGreaterThan(4)
  })

  it.each(DIAGRAMS)('of a %s are what Mermaid reads', (_, text) => {
    const people = linesOf(text, /^participant /).map((line) => line.split(' ')[1])
    const ends = linesOf(text, /^(?!sequenceDiagram$|participant \w+ as .+$|alt .+$|else .+$|opt .+$|end$|$)/)
    const arrows = ends.map((line) => /^(\w+)->>(\w+): [^:;#]+$/.exec(line) ?? [line, 'not an', 'arrow'])
    expect(text.startsWith('sequenceDiagram\n')).toBe(true)
    expect(arrows.filter(([, from, to]) => !people.includes(from) || !people.includes(to))).toEqual([])
    expect(linesOf(text, /^end$/).length).toBe(linesOf(text, /^(alt|opt) /).length)
  })
})
