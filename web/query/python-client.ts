import type { Call } from './call.ts'
import { exactValue, literal, PYTHON } from './literals.ts'

/** Collections that the Python client of the platform has, by the name that they have there. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  materials: 'materials',
  workflows: 'workflows',
  jobs: 'jobs',
  projects: 'projects',
  properties: 'properties',
  'bank-materials': 'bank_materials',
  'bank-workflows': 'bank_workflows',
}

/** Collections whose records it reads and does not change. */
const READ_ONLY = new Set(['projects', 'properties', 'bank-materials', 'bank-workflows'])

/** What tells an id from a word in its place, such as `default`. */
const ID = /^\w{17}$/

/** The request as a call of `mat3ra-api-client`; null where the client has none for it, or cannot reach the server. */
export function clientCall(call: Call): string | null {
  const address = clientAddress(call.root)
  const expression = address === null ? null : callOf(call)
  if (address === null || expression === null) return null
  const account = call.accountId === undefined ? 'os.environ["ACCOUNT"]' : PYTHON.string(call.accountId)
  return [
    'import os',
    'from mat3ra.api_client import APIClient',
    '',
    'client = APIClient.authenticate(',
    `    ${address},`,
    `    account_id=${account},`,
    '    auth_token=os.environ["TOKEN"],',
    ')',
    `print(${expression})`,
  ].join('\n')
}

/** The client asks `{scheme}://{host}:{port}/api/{version}` and nothing below another path. */
function clientAddress(root: string): string | null {
  const { protocol, hostname, port, pathname } = new URL(root)
  const version = /^\/api\/([^/]+)$/.exec(pathname)?.[1]
  if (version === undefined) return null
  const isSecure = protocol === 'https:'
  const number = port === '' ? (isSecure ? '443' : '80') : port
  return `host="${hostname}", port=${number}, version="${version}", secure=${isSecure ? 'True' : 'False'}`
}

function callOf({ method, path, search = {}, body }: Call): string | null {
  const [, collection = '', first, second, ...more] = path.split('/')
  const name = COLLECTIONS[collection]
  if (name === undefined || more.length > 0) return null
  const endpoint = `client.${name}`
  if (first === undefined || first === '') return method === 'GET' ? listCall(endpoint, search) : null
  if (Object.keys(search).length > 0) return null
  if (method === 'POST' && first === 'search' && second === undefined) return searchCall(endpoint, body)
  if (method === 'GET' && second === undefined && ID.test(first)) return `${endpoint}.get(${PYTHON.string(first)})`
  return READ_ONLY.has(collection) ? null : changeCall(endpoint, method, { first, second, body })
}

interface Change {
  readonly first: string
  readonly second: string | undefined
  readonly body: unknown
}

function changeCall(endpoint: string, method: string, { first, second, body }: Change): string | null {
  if (method === 'PUT' && first === 'create' && second === undefined)
    return `${endpoint}.create(${literal(body, PYTHON)})`
  if (!ID.test(first)) return null
  const id = PYTHON.string(first)
  if (method === 'POST' && second === 'copy') return `${endpoint}.copy(${id})`
  if (second !== undefined) return null
  if (method === 'DELETE') return `${endpoint}.delete(${id})`
  return method === 'PATCH' ? `${endpoint}.update(${id}, ${literal(body, PYTHON)})` : null
}

/** The client sends a query and a projection, and knows no other parameter. */
function listCall(endpoint: string, { query, projection, ...others }: Readonly<Record<string, string>>): string | null {
  if (Object.keys(others).length > 0) return null
  const values = [query, projection].map((text) => (text === undefined || text.trim() === '' ? {} : exactValue(text)))
  return values.includes(undefined) ? null : listOf(endpoint, values)
}

function searchCall(endpoint: string, body: unknown): string | null {
  const { query = {}, projection = {}, ...others } = (body ?? {}) as Record<string, unknown>
  return Object.keys(others).length > 0 ? null : listOf(endpoint, [query, projection])
}

function listOf(endpoint: string, [query, projection]: readonly unknown[]): string {
  const isPlain = JSON.stringify(projection) === '{}'
  return `${endpoint}.list(${[query, ...(isPlain ? [] : [projection])].map((one) => literal(one, PYTHON)).join(', ')})`
}
