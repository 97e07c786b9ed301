import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { articleOf } from '../../scripts/guides/article.mjs'
import { GUIDES } from '../../scripts/guides/contents.mjs'
import { PAGE_PATHS } from '../../src/page/addresses.ts'
import { HELPS } from '../../web/parts/helps.ts'

const SECTIONS_FILE = readFileSync(new URL('../../web/pages/material/sections.ts', import.meta.url), 'utf8')

/** Pages of one record, whose sections have help, of the guides themselves, or that are others under another address. */
const WITHOUT: readonly string[] = ['home', 'material', 'record', 'set', 'editRecord', 'docs', 'guide']

/** Lists whose records have a help of their own; `records` is that of the others. */
const LISTS = ['jobs', 'methods', 'properties']

describe('help', () => {
  it('is there for each page, and for each section of a material', () => {
    const pages = Object.keys(PAGE_PATHS).filter((name) => !WITHOUT.includes(name))
    const sections = Array.from(SECTIONS_FILE.matchAll(/^ {2}(\w+): \{/gm), ([, name]) => `section.${name}`)
    expect(sections).toContain('section.json')
    expect(Object.keys(HELPS).sort()).toEqual([...pages, ...LISTS, 'edit', ...sections].sort())
  })

  it.each(Object.entries(HELPS))(
    '%s is a paragraph, and leads to a heading of a guide',
    (_, { words, guide, heading }) => {
      expect(words).toMatch(/^[A-Z].{40,300}\.$/)
      const file = GUIDES.find(({ name }) => name === guide)?.file
      expect(file).toBeDefined()
      const text = readFileSync(new URL(`../../docs/${file}.md`, import.meta.url), 'utf8')
      expect(articleOf(text, (href: string) => href)).toContain(`id="${heading}"`)
    },
  )
})
