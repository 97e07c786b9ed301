import { chosenAccount, forgetSession, isSignedIn } from './session.js'

export const API = '/api/2018-10-01'

/** Where the server is reached, without a slash at the end: a proxy may put a path before its own. */
export const ROOT = new URL('..', import.meta.url).href.replace(/\/$/, '')

/** @typedef {{ readonly method: string, readonly path: string }} Address */

/** Every address of the API that the pages use; a test holds them to the routes of the server. */
export const ADDRESSES = /** @type {const} */ ({
  signIn: { method: 'POST', path: `${API}/session` },
  showSession: { method: 'GET', path: `${API}/session` },
  signOut: { method: 'DELETE', path: `${API}/session` },
  listTokens: { method: 'GET', path: `${API}/tokens` },
  createToken: { method: 'POST', path: `${API}/tokens` },
  revokeToken: { method: 'DELETE', path: `${API}/tokens/:id` },
  listRecords: { method: 'GET', path: `${API}/:collection` },
  countRecords: { method: 'POST', path: `${API}/:collection/count` },
  getRecord: { method: 'GET', path: `${API}/:collection/:id` },
  description: { method: 'GET', path: `${API}/openapi.json` },
})

/** Sent to the document when the server no longer takes the credential. */
export const SESSION_ENDED = 'quarry:session-ended'

/**
 * A failure as the server tells it.
 * @typedef {{ path?: string, hint?: string, line?: number, column?: number, requestId?: string }} RefusalData
 */

/** What the server, or the way to it, refused. */
export class Refusal extends Error {
  /**
   * @param {string} message
   * @param {{ code?: number, data?: RefusalData }} details
   */
  constructor(message, { code, data = {} } = {}) {
    super(message)
    this.code = code
    this.data = data
  }
}

/**
 * Asks the API; gives the `data` of the envelope.
 * @param {Address} address
 * @param {{ at?: Record<string, string>, search?: URLSearchParams, body?: string }} sent `at` fills the parameters of the path.
 * @returns {Promise<any>}
 */
export async function call(address, sent = {}) {
  return (await callWarned(address, sent)).data
}

/** @typedef {{ code: number, path: string, message: string, hint?: string }} Warning */

/**
 * Asks the API; gives the `data` of the envelope with the warnings beside it.
 * @param {Address} address
 * @param {{ at?: Record<string, string>, search?: URLSearchParams, body?: string }} sent
 * @returns {Promise<{ data: any, warnings: readonly Warning[] }>}
 */
export async function callWarned(address, sent = {}) {
  const envelope = await ask(address, sent)
  if (envelope.status !== 'success') throw new Refusal(envelope.message, envelope)
  return { data: envelope.data, warnings: envelope.warnings ?? [] }
}

/**
 * Fetches the description of the API, which has no envelope.
 * @returns {Promise<any>}
 */
export function fetchDescription() {
  return ask(ADDRESSES.description, {})
}

/**
 * @param {Address} address
 * @param {{ at?: Record<string, string>, search?: URLSearchParams, body?: string }} sent
 */
async function ask(address, { at = {}, search, body }) {
  const path = address.path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(at[name] ?? ''))
  const target = search === undefined || search.size === 0 ? path : `${path}?${search}`
  const init = { method: address.method, headers: headersFor(body), ...(body === undefined ? {} : { body }) }
  const response = await fetch(ROOT + target, init).catch(() => {
    throw new Refusal('The server cannot be reached. Is it running?')
  })
  if (response.status === 401 && isSignedIn()) endSession()
  return response.json().catch(() => {
    throw new Refusal(`The answer is not from Quarry (HTTP ${response.status}). Is there a proxy in between?`)
  })
}

/** @param {string | undefined} body @returns {Record<string, string>} */
function headersFor(body) {
  const accountId = chosenAccount()
  return {
    // The cookie counts with it alone.
    'x-quarry-page': '1',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(accountId === null ? {} : { 'x-account-id': accountId }),
  }
}

function endSession() {
  forgetSession()
  document.dispatchEvent(new CustomEvent(SESSION_ENDED))
}
