/** @typedef {{ readonly accountId: string, readonly token: string }} Credential */

const KEY = 'quarry.credential'

/**
 * The credential of this tab; it is gone when the tab is closed, and no other tab or site can read it.
 * @returns {Credential | null}
 */
export function credential() {
  const text = sessionStorage.getItem(KEY)
  return text === null ? null : JSON.parse(text)
}

/** @param {Credential} pair */
export function keepCredential({ accountId, token }) {
  sessionStorage.setItem(KEY, JSON.stringify({ accountId, token }))
}

/** Acts in another account of the same user from now on. @param {string} accountId */
export function switchAccount(accountId) {
  const pair = credential()
  if (pair !== null) keepCredential({ ...pair, accountId })
}

export function forgetCredential() {
  sessionStorage.removeItem(KEY)
}
