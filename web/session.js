/**
 * The token of a session is in a cookie that no script can read. What is known here is whether there is one, and the account in which this tab acts.
 */

const KEY = 'quarry.account'

let isOpen = false

/** Whether somebody is signed in, as far as the server has said. */
export function isSignedIn() {
  return isOpen
}

export function beginSession() {
  isOpen = true
}

/** The account that was chosen in this tab; null where it is the user's own. */
export function chosenAccount() {
  return sessionStorage.getItem(KEY)
}

/** Acts in another account of the same user from now on. @param {string} accountId */
export function switchAccount(accountId) {
  sessionStorage.setItem(KEY, accountId)
}

export function forgetSession() {
  isOpen = false
  sessionStorage.removeItem(KEY)
}
