import { ADDRESSES, call } from './api.js'
import { element, field } from './elements.js'
import { refusalBox } from './refusal-box.js'
import { keepCredential } from './session.js'

/**
 * The form that exchanges a name and a password for a credential of this tab.
 * @param {() => void} entered
 * @param {string} [notice] Why the form is shown.
 */
export function showLogIn(entered, notice) {
  const name = element('input', {
    name: 'username',
    autocomplete: 'username',
    autocapitalize: 'none',
    spellcheck: 'false',
    required: true,
  })
  const password = element('input', {
    name: 'password',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  })
  const submit = element('button', { type: 'submit' }, 'Log in')
  const outcome = element('div')
  const form = element(
    'form',
    { method: 'post' },
    field('User name or e-mail', name),
    field('Password', password),
    submit,
    outcome,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void logIn()
  })

  async function logIn() {
    submit.disabled = true
    outcome.replaceChildren()
    try {
      const body = JSON.stringify({ username: name.value, password: password.value })
      const pair = await call(ADDRESSES.logIn, { body })
      keepCredential({ accountId: pair['X-Account-Id'], token: pair['X-Auth-Token'] })
      entered()
    } catch (error) {
      outcome.replaceChildren(refusalBox(error))
      password.select()
    } finally {
      submit.disabled = false
    }
  }

  return element(
    'section',
    { class: 'narrow' },
    element('h1', {}, 'Log in'),
    notice === undefined ? null : element('p', { role: 'status' }, notice),
    form,
    element(
      'p',
      { class: 'fine' },
      'The first start of the server printed a user name and a password. An operator makes more with ',
      element('code', {}, 'quarry user create'),
      '.',
    ),
  )
}
