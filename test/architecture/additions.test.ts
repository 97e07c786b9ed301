import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Notice } from '../../scripts/additions/addition.ts'
import { ADDITIONS } from '../../scripts/additions/all-additions.ts'
import type { FailedTest } from '../../scripts/mutants/run-tests.ts'
import { filledIn, type Planted, PlantedProject, PlantedTypes, plantAll } from './planted-additions.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PLANTED = plantAll(ADDITIONS)
const whole = PLANTED.filter(({ without }) => without === null)
const half = PLANTED.filter(({ without }) => without !== null)
const noticeOf = ({ without }: Planted): Notice => without?.noticedBy as Notice
const noticedBy = <By extends Notice['by']>(by: By) => half.filter((planted) => noticeOf(planted).by === by)
const titleOf = (planted: Planted) => [`${planted.addition.what} without ${planted.without?.where}`, planted] as const

describe('the gate for types notices', () => {
  const types = new PlantedTypes(ROOT)
  const faults: ReturnType<PlantedTypes['faults']>[number][] = []
  beforeAll(() => {
    // Of one object the compiler tells one fault: what leaves out the first place of its addition goes together, what leaves out the second …
    for (const place of new Set(half.map(({ digits }) => digits))) {
      const together = noticedBy('types').filter(({ digits }) => digits === place)
      if (together.length === 0) continue
      const files = together.map((planted) => filledIn((noticeOf(planted) as { file: string }).file, planted))
      faults.push(...types.faults(together, [...new Set(files)]))
    }
  })

  it.each(noticedBy('types').map(titleOf))('%s', (_, planted) => {
    const { file, says } = noticeOf(planted) as Extract<Notice, { by: 'types' }>
    const said = faults.filter((fault) => fault.file === filledIn(file, planted)).map((fault) => fault.says)
    expect(
      said.filter((text) => text.includes(filledIn(says, planted)) && text.includes(planted.letters)),
      said.join('\n'),
    ).not.toEqual([])
  })

  it('nothing where an addition has all its places', () => {
    expect(types.faults(whole)).toEqual([])
  })
})

describe('in a copy of the project', () => {
  const project = new PlantedProject(ROOT)
  let deadCode = ''
  let failures: readonly FailedTest[] = []
  beforeAll(async () => {
    const isStale = ({ without }: Planted) => without?.example === 'generated'
    const tested = [...noticedBy('test'), ...noticedBy('dead code')]
    project.plant([...whole, ...tested.filter((planted) => !isStale(planted))])
    await project.writeDocs()
    project.plant(tested.filter(isStale))
    const notices = tested.map(noticeOf).flatMap((notice) => (notice.by === 'test' ? [notice] : []))
    const patterns = notices.map(({ named }) =>
      named
        .split(/\$?NAME/)
        .map(escaped)
        .join('.*'),
    )
    deadCode = await project.deadCode()
    failures = await project.failures([...new Set(notices.map(({ file }) => file))], [...new Set(patterns)].join('|'))
  }, 300_000)
  afterAll(() => project.remove())

  it.each(noticedBy('dead code').map(titleOf))('the gate for dead code notices %s', (_, planted) => {
    expect(deadCode).toContain(filledIn((noticeOf(planted) as { says: string }).says, planted))
  })

  it.each(noticedBy('test').map(titleOf))('a test notices %s', (_, planted) => {
    const { file, named, says } = noticeOf(planted) as Extract<Notice, { by: 'test' }>
    const failed = failures.filter((one) => one.file === file && one.name.includes(filledIn(named, planted)))
    const messages = failed.map(({ name, message }) => `${name}: ${message}`)
    expect(
      messages.filter((text) => text.includes(filledIn(says, planted)) && text.includes(planted.letters)),
      messages.join('\n'),
    ).not.toEqual([])
  })

  it.each(whole.map((planted) => [planted.addition.what, planted] as const))(
    'nothing is said of %s that has all its places',
    (_, { letters }) => {
      expect(deadCode).not.toContain(letters)
      const told = failures.filter(({ name }) => !name.endsWith('is as `npm run docs` writes it'))
      expect(told.filter(({ name, message }) => `${name}\n${message}`.includes(letters))).toEqual([])
    },
  )
})

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
