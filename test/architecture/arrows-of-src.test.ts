import { expect, it } from 'vitest'
import { cruise } from './cruise.ts'
import { sourceFiles } from './source-files.ts'

it('the arrows gate finds nothing in src, having looked at every file of it', async () => {
  const { exitCode, violations, modules } = await cruise()
  expect(violations).toEqual([])
  expect(exitCode).toBe(0)
  expect(modules).toEqual(expect.arrayContaining(sourceFiles()))
})
