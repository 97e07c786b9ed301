import type { IncomingHttpHeaders } from 'node:http'
import { unauthorized } from '../../accounts/resolve-session.ts'

/** Reads the credential of a request: `X-Account-Id` with `X-Auth-Token`, or a Bearer token. */
export function readCredentials(headers: IncomingHttpHeaders): { accountId: string | null; token: string } {
  const accountId = headerText(headers['x-account-id'])
  const token = headerText(headers['x-auth-token'])
  const { authorization } = headers
  if (authorization === undefined) {
    if (accountId === null || token === null) throw unauthorized()
    return { accountId, token }
  }
  const bearer = /^Bearer +([\w-]+) *$/i.exec(authorization)?.[1]
  // Two credentials that differ: to take either could act for the wrong user.
  if (bearer === undefined || (token !== null && token !== bearer)) throw unauthorized()
  return { accountId, token: bearer }
}

function headerText(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}
