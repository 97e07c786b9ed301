import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUser, listUsers } from '../../src/accounts/users.ts'
import { readConfig } from '../../src/app/config.ts'
import { addSamples, type FirstUser, firstStart } from '../../src/app/first-start.ts'
import { openServices, type Services } from '../../src/app/open-services.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { planQuery } from '../../src/query/plan.ts'

let root: string
let services: Services
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'quarry-first-'))
  services = await openServices(readConfig({ data: join(root, 'data'), symmetry: 'off' }, {}, null))
})
afterEach(async () => {
  await services.close()
  rmSync(root, { recursive: true })
})

/** Starts once, and gives the first user when there is one. */
async function start(samples: boolean): Promise<FirstUser | null> {
  let first: FirstUser | null = null
  await firstStart(services, { samples }, (user) => {
    first = user
  })
  return first
}

const EVERYTHING = { filter: parseFilter({}), sort: [], fields: null, skip: 0, limit: 1 }
const countMaterials = () => services.records.store.count(planQuery(EVERYTHING, 'materials', { kind: 'operator' }))

describe('the first start', () => {
  it('makes the first user and loads the samples', async () => {
    expect(await start(true)).toMatchObject({ name: 'admin' })
    expect(await countMaterials()).toBe(134)
    expect(await start(true)).toBeNull()
    expect(await countMaterials()).toBe(134)
  })

  it('that wants no samples has decided for all that follow', async () => {
    await start(false)
    await start(true)
    expect(await countMaterials()).toBe(0)
  })

  it('on a directory that has a user adds nothing', async () => {
    await createUser(services.accounts, { name: 'ada', password: 'correct horse battery' })
    expect(await start(true)).toBeNull()
    expect(await countMaterials()).toBe(0)
    expect((await listUsers(services.accounts)).map(({ name }) => name)).toEqual(['ada'])
  })

  it('that was interrupted while it loaded the samples is gone on with', async () => {
    await services.store.writeMark('samples', 'begun')
    await createUser(services.accounts, { name: 'ada', password: 'correct horse battery' })
    await start(true)
    expect(await countMaterials()).toBe(134)
  })

  it('that was interrupted is not gone on with by one that wants no samples, nor later', async () => {
    await services.store.writeMark('samples', 'begun')
    await start(false)
    await start(true)
    expect(await countMaterials()).toBe(0)
  })

  it('makes the first user also where only the samples are', async () => {
    await addSamples(services)
    expect(await start(true)).toMatchObject({ name: 'admin' })
  })
})
