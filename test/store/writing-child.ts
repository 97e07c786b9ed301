import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { insertion } from '../support/plans.ts'

/** Writes without end and says on its output which writes were acknowledged; the test kills it in the middle. */
const [dataDirectory = ''] = process.argv.slice(2)
const store = await openSqliteStore({ dataDirectory })
const WRITERS = 8

async function write(writer: number): Promise<never> {
  for (let i = 0; ; i += 1) {
    const pair = ['a', 'b'].map((half) => insertion('c', `${writer}-${i}-${half}`, { writer, i, half, tags: ['t', i] }))
    await store.records.apply(pair)
    if (i > 0 && i % 3 === 0) {
      await store.records.apply([
        {
          action: 'replace',
          collection: 'c',
          id: `${writer}-${i}-a`,
          accountId: 'owner',
          expectedVersion: 1,
          isPublic: true,
          text: '{"x":1}',
        },
      ])
    }
    process.stdout.write(`${writer}-${i}\n`)
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
