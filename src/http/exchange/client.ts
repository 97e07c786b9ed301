import type { IncomingMessage } from 'node:http'
import type { CachedSession, RequestCredentials } from '../../accounts/session-cache.ts'

/** The credential that a connection has sent, and whose it was when it was looked up last. */
export interface Client {
  /** The headers that it was read from. */
  readonly accountId: string | string[] | undefined
  readonly token: string | string[] | undefined
  readonly authorization: string | undefined
  /** Null where there is none that could be right. */
  readonly credentials: RequestCredentials | null
  /** May have been revoked since; null where it was not looked up yet. */
  cached: CachedSession | null
}

/** Somebody without a credential. */
export const NOBODY: Client = {
  accountId: undefined,
  token: undefined,
  authorization: undefined,
  credentials: null,
  cached: null,
}

/** Tells whether a request has the credential in its headers that was read before. To compare them costs a tenth of reading them. */
export function hasSameHeaders({ headers }: IncomingMessage, client: Client): boolean {
  return (
    client.token === headers['x-auth-token'] &&
    client.accountId === headers['x-account-id'] &&
    client.authorization === headers.authorization
  )
}
