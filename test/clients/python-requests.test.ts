import { expect, test } from 'vitest'
import { jsonDumps, type PythonRequest, written } from './python-requests.ts'

const HEADERS = { 'X-Account-Id': 'A', 'X-Auth-Token': 'T', 'Content-Type': 'application/json' }
const BASE = 'http://localhost:3000/api/2018-10-01/'
const QUERY = { name: { $regex: "é (a)*'!~", $options: 'i' } }

/** What was recorded from `requests` 2.28 itself: the first line, the headers after its own, and the body. */
interface Recorded {
  readonly line: string
  readonly headers: readonly string[]
  readonly body: string
}

const RECORDED: readonly [string, PythonRequest, Recorded][] = [
  [
    'a list',
    {
      method: 'GET',
      url: `${BASE}materials`,
      params: { query: jsonDumps(QUERY), projection: '{}', limit: 5 },
      headers: HEADERS,
    },
    {
      line: 'GET /api/2018-10-01/materials?query=%7B%22name%22%3A+%7B%22%24regex%22%3A+%22%5Cu00e9+%28a%29%2A%27%21~%22%2C+%22%24options%22%3A+%22i%22%7D%7D&projection=%7B%7D&limit=5',
      headers: ['X-Account-Id: A', 'X-Auth-Token: T', 'Content-Type: application/json'],
      body: '',
    },
  ],
  [
    'a login',
    { method: 'POST', url: `${BASE}login`, data: { username: 'ada', password: 'a b+c&é' } },
    {
      line: 'POST /api/2018-10-01/login',
      headers: ['Content-Length: 38', 'Content-Type: application/x-www-form-urlencoded'],
      body: 'username=ada&password=a+b%2Bc%26%C3%A9',
    },
  ],
  [
    'a removal',
    { method: 'DELETE', url: `${BASE}materials/x`, headers: HEADERS },
    {
      line: 'DELETE /api/2018-10-01/materials/x',
      headers: ['X-Account-Id: A', 'X-Auth-Token: T', 'Content-Type: application/json', 'Content-Length: 0'],
      body: '',
    },
  ],
  [
    'an empty parameter',
    {
      method: 'POST',
      url: `${BASE}materials/x/move-to-set`,
      params: { oldSetId: '', newSetId: 'S' },
      headers: HEADERS,
    },
    {
      line: 'POST /api/2018-10-01/materials/x/move-to-set?oldSetId=&newSetId=S',
      headers: ['X-Account-Id: A', 'X-Auth-Token: T', 'Content-Type: application/json', 'Content-Length: 0'],
      body: '',
    },
  ],
  [
    'a parameter that is None',
    { method: 'POST', url: `${BASE}bank-materials/x/copy`, params: { accountId: null }, headers: {} },
    { line: 'POST /api/2018-10-01/bank-materials/x/copy', headers: ['Content-Length: 0'], body: '' },
  ],
  [
    'a body',
    { method: 'PUT', url: `${BASE}materials/create`, data: jsonDumps({ a: 'é\u2028😀', b: [1, 2.5, null, true] }) },
    {
      line: 'PUT /api/2018-10-01/materials/create',
      headers: ['Content-Length: 60'],
      body: '{"a": "\\u00e9\\u2028\\ud83d\\ude00", "b": [1, 2.5, null, true]}',
    },
  ],
]

test.each(RECORDED)('%s is written as the library writes it', (_what, asked, { line, headers, body }) => {
  const { method, path, headers: all, body: text } = written(asked)
  expect(`${method} ${path}`).toBe(line)
  expect(text).toBe(body)
  const names = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  expect(names[0]).toBe('Host: localhost:3000')
  expect(names.slice(5)).toEqual(headers)
})
