import { expect, test } from 'vitest'
import { slugOf } from '../../src/records/ids.ts'

const SLUGS = [
  ['Silicon FCC', 'silicon-fcc'],
  ['  Bi2Te3, (001) slab! ', 'bi2te3-001-slab'],
  ['MoS₂ – Grüneisen', 'mos2-gruneisen'],
  ['石英', '石英'],
  ['---', ''],
  ['', ''],
] as const

test.each(SLUGS)('%s becomes %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('a long name becomes a slug of bounded length that is well formed', () => {
  const slug = slugOf('𝛼'.repeat(1000))
  expect([...slug]).toHaveLength(128)
  expect(Buffer.from(slug).toString()).toBe(slug)
})
