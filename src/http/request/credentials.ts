import type { IncomingHttpHeaders } from 'node:http'
import type { RequestCredentials } from '../../accounts/session-cache.ts'
import { unauthorized } from '../../accounts/sessions.ts'

/** Reads the credential of a request: `X-Account-Id` with `X-Auth-Token`, or a Bearer token. */
export function readCredentials(headers: IncomingHttpHeaders): RequestCredentials {
  const credentials = findCredentials(headers)
  if (credentials === null) throw unauthorized()
  return credentials
}

/** The same; null when there is none that could be right. */
export function findCredentials(headers: IncomingHttpHeaders): RequestCredentials | null {
  const accountId = headerText(headers['x-account-id'])
  const token = headerText(headers['x-auth-token'])
  const { authorization } = headers
  if (authorization === undefined) return accountId === null || token === null ? null : { accountId, token }
  const bearer = /^Bearer +([\w-]+) *$/i.exec(authorization)?.[1]
  // Two credentials that differ: to take either could act for the wrong user.
  return bearer === undefined || (token !== null && token !== bearer) ? null : { accountId, token: bearer }
}

function headerText(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}
