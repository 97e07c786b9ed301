import { expect, it } from 'vitest'
import { articleOf } from '../../scripts/guides/article.mjs'
import { sectionsOf } from '../../scripts/guides/sections.mjs'
import { sectionsWith } from '../../web/pages/docs/guide-sections.ts'

const text =
  '# Store runs\n\nOf VASP.\n\n## A `gap`\n\nThe band gap is kept.\n\n### Bands & more\n\nA picture of bands.\n\n## Gap fillers\n\nThe band plays.'
const sections = sectionsOf(
  { name: 'store', title: 'Store runs' },
  articleOf(text, (href: string) => href),
)

it('lists the sections of a guide, each with its words once', () => {
  expect(sections).toEqual([
    { path: './docs/store', guide: 'Store runs', heading: '', words: 'of vasp.' },
    { path: './docs/store#a-gap', guide: 'Store runs', heading: 'A gap', words: 'the band gap is kept.' },
    { path: './docs/store#bands--more', guide: 'Store runs', heading: 'Bands & more', words: 'picture of bands.' },
    { path: './docs/store#gap-fillers', guide: 'Store runs', heading: 'Gap fillers', words: 'the band plays.' },
  ])
})

it.each([
  ['band gap', ['A gap', 'Gap fillers']],
  ['BANDS', ['Bands & more']],
  ['store vasp', ['']],
  ['phonon', []],
])('finds sections by all words, those first whose heading has them: %s', (asked, headings) => {
  expect(sectionsWith(sections, asked.split(' ')).map(({ heading }) => heading)).toEqual(headings)
})
