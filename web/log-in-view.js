import { ADDRESSES, call } from './api.js'
import { element, field } from './elements.js'
import { refusalBox } from './refusal-box.js'

/**
 * The form that exchanges a name and a password for a session of this browser.
 * @param {(me: any) => void} entered Is given who has signed in.
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
      entered(await call(ADDRESSES.signIn, { body }))
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
