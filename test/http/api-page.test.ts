import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { API_PREFIX } from '../../src/http/address.ts'
import { LIST_PARAMETERS } from '../../src/http/request/list-request.ts'
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
  // The page says once for materials what holds for methods, too.
  const asWritten = new Set(
    routes.map((route) => route.replace('/methods', '/materials').replace('schemas/method', 'schemas/material')),
  )
  expect(rows.sort()).toEqual([...asWritten].sort())
})

test('the reference of the API has every list parameter', () => {
  for (const name of LIST_PARAMETERS) expect(page).toContain(`\`${name}`)
})
