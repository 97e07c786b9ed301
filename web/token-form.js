import { ADDRESSES, call } from './api.js'
import { element, field } from './elements.js'
import { refusalBox } from './refusal-box.js'

/** @typedef {{ 'X-Account-Id': string, 'X-Auth-Token': string, token: { name: string, readOnly: boolean } }} CreatedToken */

/**
 * Asks for what a new token needs and makes it.
 * @param {(created: CreatedToken) => void} made
 */
export function tokenForm(made) {
  const name = element('input', {
    name: 'name',
    required: true,
    maxlength: 100,
    autocomplete: 'off',
    placeholder: 'laptop',
  })
  const days = element('input', { name: 'days', type: 'number', min: 1, max: 3650, value: 90, inputmode: 'numeric' })
  const readOnly = element('input', { name: 'readOnly', type: 'checkbox' })
  const submit = element('button', { type: 'submit' }, 'Generate token')
  const outcome = element('div')
  const form = element(
    'form',
    {},
    element(
      'div',
      { class: 'row' },
      field('Name', name, 'By which you will know it.'),
      field('Expires in days', days, 'Empty for never.'),
      element('label', { class: 'check' }, readOnly, 'Read only'),
      submit,
    ),
    outcome,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void create()
  })

  async function create() {
    submit.disabled = true
    outcome.replaceChildren()
    try {
      const expiresInDays = days.value === '' ? null : Number(days.value)
      const body = JSON.stringify({ name: name.value, expiresInDays, readOnly: readOnly.checked })
      made(await call(ADDRESSES.createToken, { body }))
      name.value = ''
    } catch (error) {
      outcome.replaceChildren(refusalBox(error))
    } finally {
      submit.disabled = false
    }
  }

  return form
}
