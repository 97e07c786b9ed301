import { request as httpRequest } from 'node:http'

/** A value as a Python script has it; `undefined` is not among them, `null` is None. */
export type PythonValue =
  | string
  | number
  | boolean
  | null
  | readonly PythonValue[]
  | { readonly [key: string]: PythonValue }

/** What a script gives to `requests.Session.request`. */
export interface PythonRequest {
  readonly method: string
  /** The whole address, without parameters. */
  readonly url: string
  readonly params?: Readonly<Record<string, string | number | null>>
  /** A text is sent as it is; an object as a form, with the type of a form. */
  readonly data?: string | Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

export interface PythonAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: a script reads what the server says, whatever it is.
  readonly body: any
}

/** Writes JSON as `json.dumps` does: a space after each comma and colon, nothing outside ASCII. */
export function jsonDumps(value: PythonValue): string {
  if (Array.isArray(value)) return `[${value.map(jsonDumps).join(', ')}]`
  if (typeof value !== 'object' || value === null) return asciiOnly(JSON.stringify(value))
  const fields = Object.entries(value).map(([key, field]) => `${asciiOnly(JSON.stringify(key))}: ${jsonDumps(field)}`)
  return `{${fields.join(', ')}}`
}

function asciiOnly(json: string): string {
  return json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Joins parameters as `urllib.parse.urlencode` does: a space is a plus, and a parameter that is None is left out. */
export function urlEncode(fields: Readonly<Record<string, string | number | null>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${quotePlus(name)}=${quotePlus(String(value))}`)
    .join('&')
}

function quotePlus(text: string): string {
  const quoted = encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  })
  return quoted.replaceAll('%20', '+')
}

/** The headers that `requests` sends of itself, in its order. */
const OWN_HEADERS = {
  'User-Agent': 'python-requests/2.31.0',
  'Accept-Encoding': 'gzip, deflate',
  Accept: '*/*',
  Connection: 'keep-alive',
}

/** The head and the body of a request, as they go over the wire. */
export function written({ method, url, params = {}, data, headers = {} }: PythonRequest) {
  const { host, pathname } = new URL(url)
  const parameters = urlEncode(params)
  const isForm = typeof data === 'object'
  const body = isForm ? urlEncode(data) : (data ?? '')
  // A body that is missing is announced as empty, but not where a body has no meaning.
  const length = method === 'GET' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  return {
    method,
    path: parameters === '' ? pathname : `${pathname}?${parameters}`,
    headers: {
      Host: host,
      ...OWN_HEADERS,
      ...headers,
      ...length,
      ...(isForm ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
    },
    body,
  }
}

/** Sends a request byte for byte as `requests` does, on a connection of its own, as the client opens one for each call. */
export function send(asked: PythonRequest): Promise<PythonAnswer> {
  const { method, path, headers, body } = written(asked)
  const { hostname, port } = new URL(asked.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ method, hostname, port, path, headers, agent: false })
    request.on('error', reject)
    request.on('response', async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString('utf8')
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) })
    })
    request.end(body)
  })
}
