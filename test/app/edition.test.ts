import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { openServices } from '../../src/app/open-services.ts'
import { restoreData } from '../../src/app/restore-data.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quarry-edition-'))
})
afterEach(() => rmSync(root, { recursive: true }))

it('stays over restarts and is another one after a backup was restored', async () => {
  const config = readConfig({ data: join(root, 'data') }, {}, null)
  const backup = join(root, 'backup.db')
  const first = await openServices(config)
  await first.store.backup(backup, () => {})
  await first.close()
  const again = await openServices(config)
  await again.close()
  expect(again.edition).toBe(first.edition)

  await restoreData(backup, config, { force: true })
  const restored = await openServices(config)
  await restored.close()
  expect(restored.edition).toMatch(/^\w{17}$/)
  expect(restored.edition).not.toBe(first.edition)
})
