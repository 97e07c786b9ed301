import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { UNKEPT_QUANTITIES } from '../../src/structure/formats/common/unkept.ts'

it('the page on structure files has a row for every quantity that is not kept', () => {
  const page = readFileSync(new URL('../../docs/reference/formats.md', import.meta.url), 'utf8')
  for (const quantity of Object.keys(UNKEPT_QUANTITIES)) expect(page).toContain(`\n| ${quantity} | warning \`dropped\``)
})
