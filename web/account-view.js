import { ADDRESSES, call } from './api.js'
import { element } from './elements.js'
import { showNewToken } from './new-token.js'
import { refusalBox } from './refusal-box.js'
import { tokenForm } from './token-form.js'
import { tokensTable } from './tokens-table.js'

/** The preferences of the account: API tokens are made, listed and deleted here; logins of other browsers, too. */
export function showAccount() {
  const fresh = element('div')
  const apiTokens = element('div', {}, 'Loading…')
  const sessions = element('div', {}, 'Loading…')
  const form = tokenForm((created) => {
    fresh.replaceChildren(showNewToken(created))
    void list()
  })
  void list()

  async function list() {
    try {
      const tokens = await call(ADDRESSES.listTokens)
      const ofKind = (/** @type {string} */ kind) => tokens.filter((/** @type {any} */ token) => token.kind === kind)
      apiTokens.replaceChildren(
        tokensTable(ofKind('api'), { title: 'API tokens', whenEmpty: 'You have no API tokens.' }, list),
      )
      sessions.replaceChildren(
        tokensTable(ofKind('session'), { title: 'Logins', whenEmpty: 'Nobody is logged in with your password.' }, list),
      )
    } catch (error) {
      apiTokens.replaceChildren(refusalBox(error))
      sessions.replaceChildren()
    }
  }

  return element(
    'section',
    {},
    element('h1', {}, 'Account'),
    element('h2', {}, 'New API token'),
    element('p', {}, 'For scripts and notebooks: a token stands for you without your password.'),
    form,
    fresh,
    element('h2', {}, 'API tokens'),
    apiTokens,
    element('h2', {}, 'Logins'),
    element('p', { class: 'fine' }, 'Browsers and programs that logged in with your password, this one included.'),
    sessions,
  )
}
