import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DROPPED_QUANTITIES } from '../../src/structure/formats/common/format.ts'

it('the page on structure files has a row for every quantity that is not kept', () => {
  const page = readFileSync(new URL('../../docs/reference/formats.md', import.meta.url), 'utf8')
  for (const quantity of Object.keys(DROPPED_QUANTITIES))
    expect(page).toMatch(new RegExp(`\n\\| ${quantity} \\| [^|]*warning \`dropped\``))
})
