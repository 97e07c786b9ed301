import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { API_PREFIX } from '../../src/http/address.ts'
import { LIST_PARAMETERS } from '../../src/http/request/list-request.ts'
import { RECORD_KINDS } from '../../src/records/kinds/record-kinds.ts'
import { startServer } from './support/live-server.ts'

const page = await readFile(new URL('../../docs/reference/api.md', import.meta.url), 'utf8')

test('the reference of the API has every route, and no other', async () => {
  const server = await startServer()
  const { body } = await server.call('GET', 'openapi.json', { as: 'guest' })
  await server.close()
  const routes = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(API_PREFIX, '')}`),
  )
  const rows = [...page.matchAll(/^\| ([A-Z]+) \| `([^`]+)` \|/gm)].map(([, method, path]) => `${method} ${path}`)
  // The page says once for materials what holds for every kind, and what one kind has alone where it is.
  const plurals = new RegExp(` /(?:${RECORD_KINDS.map(({ collection }) => collection).join('|')})(?=/|$)`)
  const singulars = new RegExp(` /schemas/(?:${RECORD_KINDS.map(({ name }) => name).join('|')})$`)
  const forMaterials = (route: string) => route.replace(plurals, ' /materials').replace(singulars, ' /schemas/material')
  const asWritten = new Set(routes.map((route) => (rows.includes(route) ? route : forMaterials(route))))
  const missing = [...asWritten].filter((route) => !rows.includes(route))
  expect(missing, `docs/reference/api.md has no row for ${missing.join(', ')}`).toEqual([])
  expect(rows.sort()).toEqual([...asWritten].sort())
})

test('the reference of the API has every list parameter', () => {
  for (const name of LIST_PARAMETERS) expect(page).toContain(`\`${name}`)
})
