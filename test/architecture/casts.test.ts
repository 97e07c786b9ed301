import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** What finds symmetry works on nearly symmetric input, where what ought to be there may not be: a cast would say that it is. */
const FOLDER = new URL('../../src/structure/symmetry/', import.meta.url)
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*$/gm
const CAST = /\bas (?!const\b).*|[\w)\]]!(?=[.,;)[\]]|$)/gm

it('no type is asserted where symmetry is found', () => {
  const found = readdirSync(FOLDER).flatMap((name) => {
    const code = readFileSync(new URL(name, FOLDER), 'utf8').replace(COMMENT, '')
    return [...code.matchAll(CAST)].map(([cast]) => `${name}: ${cast}`)
  })
  expect(found).toEqual([])
})
