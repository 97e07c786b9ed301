import { describe, expect, it, test } from 'vitest'
import { gathered } from '../../web/provenance/gathered.ts'
import { graphLayout, NODE } from '../../web/provenance/graph-layout.ts'
import { layered } from '../../web/provenance/layers.ts'
import { nameText, pathOf, type RelatedRecord, relationText } from '../../web/provenance/provenance.ts'
import { reducedLinks } from '../../web/provenance/reduced-links.ts'

const link = (text: string) => {
  const [from = '', how = '', to = ''] = text.split(' ')
  return { from, how, to }
}
const node = (key: string): RelatedRecord => {
  const [collection = '', _id = ''] = key.split('/')
  return { collection, _id, name: _id, createdAt: null, creator: null }
}
/** A relaxation: a job of a material, which gave another one with properties. */
const RELAXATION = [
  'materials/b relaxation materials/a',
  'materials/b job jobs/j',
  'jobs/j about materials/a',
  'jobs/j method methods/m',
  'properties/p about materials/b',
  'properties/p job jobs/j',
  'properties/p method methods/m',
].map(link)

describe('links of provenance', () => {
  it('are without those that others say together', () => {
    const said = reducedLinks(RELAXATION).map(({ from, how, to }) => `${from} ${how} ${to}`)
    expect(said).toEqual([
      'materials/b relaxation materials/a',
      'materials/b job jobs/j',
      'jobs/j about materials/a',
      'jobs/j method methods/m',
      'properties/p about materials/b',
    ])
  })

  it('may lead in a circle', () => {
    const circle = ['materials/a copy materials/b', 'materials/b copy materials/a'].map(link)
    expect(reducedLinks(circle)).toEqual(circle)
    expect(layered(['materials/a', 'materials/b'], circle).layers.flat().sort()).toEqual(['materials/a', 'materials/b'])
  })

  test.each([
    ['jobs/j about materials/a', 'input'],
    ['properties/p about materials/b', 'property'],
    ['materials/b job jobs/j', 'result'],
    ['materials/b relaxation materials/a', 'relaxation'],
    ['materials/b ordered-cell materials/a', 'ordered cell'],
  ])('%s is told as %s', (text, word) => expect(relationText(link(text))).toBe(word))

  it('have names and pages at their ends', () => {
    const property = { ...node('properties/p'), name: 'total_energy' }
    expect([nameText(property), pathOf(property)]).toEqual(['Total energy', '/properties/p'])
    const gone = { ...property, name: null }
    expect([nameText(gone), pathOf(gone)]).toEqual(['p', null])
    expect([pathOf(node('xrd-patterns/x')), pathOf(node('bank-materials/x'))]).toEqual(['/xrd-patterns/x', null])
  })
})

describe('the drawing of provenance', () => {
  it('has each record right of all that it was made from', () => {
    const keys = ['materials/b', 'materials/a', 'jobs/j', 'methods/m', 'properties/p']
    const { layers, ways } = layered(keys, reducedLinks(RELAXATION))
    const records = layers.map((layer) => layer.filter((key) => keys.includes(key)).sort())
    expect(records).toEqual([['materials/a', 'methods/m'], ['jobs/j'], ['materials/b'], ['properties/p']])
    // The relaxation passes the column of the job.
    expect([...ways.values()].map((way) => way.length)).toEqual([3, 2, 2, 2, 2])
  })

  const many = (count: number) => ({
    record: 'materials/b',
    nodes: ['materials/b', ...Array.from({ length: count }, (_, at) => `properties/p${at}`)].map(node),
    links: Array.from({ length: count }, (_, at) => link(`properties/p${at} about materials/b`)),
    isCut: false,
  })

  it('gathers what is alike when there is much of it, until it is opened', () => {
    expect(gathered(many(6), many(6).links, new Set()).records).toHaveLength(7)
    const provenance = many(20)
    const { records, links } = gathered(provenance, provenance.links, new Set())
    expect(records.map(({ gathered: all }) => all.length)).toEqual([0, 0, 0, 0, 0, 0, 15])
    expect(links).toHaveLength(6)
    const key = records.at(-1)?.key ?? ''
    expect(gathered(provenance, provenance.links, new Set([key])).records).toHaveLength(21)
  })

  it('has no records on each other', () => {
    const provenance = many(40)
    const opened = gathered(provenance, provenance.links, new Set()).records.at(-1)?.key ?? ''
    const { places, order, width, height } = graphLayout(gathered(provenance, provenance.links, new Set([opened])))
    expect(order).toHaveLength(41)
    const columns = new Set([...places.values()].map(({ x }) => x))
    for (const column of columns) {
      const heights = [...places.values()]
        .flatMap(({ x, y }) => (x === column ? [y] : []))
        .sort((one, other) => one - other)
      for (const [at, y] of heights.slice(1).entries()) expect(y - (heights[at] ?? 0)).toBeGreaterThan(NODE.height)
    }
    for (const { x, y } of places.values()) {
      expect([x >= 0, x + NODE.width <= width]).toEqual([true, true])
      expect([y >= NODE.height / 2 - 1e-6, y <= height - NODE.height / 2 + 1e-6]).toEqual([true, true])
    }
  })
})
