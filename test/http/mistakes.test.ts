import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSamples } from '../../src/records/load-samples.ts'
import { LANGUAGE } from '../cases/mistakes/language.mistakes.ts'
import type { Mistake, Mistakes } from '../cases/mistakes/mistake.ts'
import { VALUES } from '../cases/mistakes/values.mistakes.ts'
import { type LiveServer, startServer } from './support/live-server.ts'

const ALL: readonly Mistakes[] = [...VALUES, ...LANGUAGE]

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ symmetry: true })
  await loadSamples(server.services.records)
}, 60_000)
afterAll(() => server.close())

/** What the answer tells: the refusal, or its warnings. */
async function toldOf({ request }: Mistake): Promise<readonly { code: number; message: string }[]> {
  const { method, path, body, headers = {} } = request
  const sent = body === undefined ? { headers } : { headers, body }
  const answer = await server.call(method, path, sent)
  expect(answer.status).toBeLessThan(500)
  return answer.status < 300 ? (answer.body.warnings ?? []) : [answer.body]
}

for (const { who, mistakes } of ALL) {
  describe(`somebody ${who}`, () => {
    test.each(mistakes.map((mistake) => [mistake.meant, mistake] as const))('is told: %s', async (_, mistake) => {
      const told = await toldOf(mistake)
      expect(told.map(({ code }) => code)).toContain(mistake.code)
      const message = told.find(({ code }) => code === mistake.code)?.message
      if (mistake.says !== undefined) expect(message).toContain(mistake.says)
    })
  })
}
