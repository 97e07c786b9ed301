import { ADDRESSES, call } from './api.js'
import { announce, button, element, time } from './elements.js'
import { refusalBox } from './refusal-box.js'

/**
 * @typedef {object} Token
 * @property {string} _id
 * @property {string} name
 * @property {'session' | 'api'} kind
 * @property {string} createdAt
 * @property {string | null} lastUsedAt
 * @property {string | null} expiresAt
 * @property {boolean} readOnly
 * @property {boolean} isCurrent
 */

const HEADS = [
  { text: 'Name' },
  { text: 'Created', isMinor: true },
  { text: 'Last used' },
  { text: 'Expires' },
  { text: 'May', isMinor: true },
  { text: 'Delete', isUnseen: true },
]

/** What a phone leaves out. @param {boolean} [isMinor] */
function minor(isMinor) {
  return isMinor ? 'minor' : undefined
}

/**
 * Lists tokens, each with the button that deletes it.
 * @param {readonly Token[]} tokens
 * @param {{ title: string, whenEmpty: string }} words
 * @param {() => Promise<void>} changed
 */
export function tokensTable(tokens, { title, whenEmpty }, changed) {
  if (tokens.length === 0) return element('p', { class: 'empty' }, whenEmpty)
  const heads = HEADS.map(({ text, isMinor, isUnseen }) =>
    element(
      'th',
      { scope: 'col', class: minor(isMinor) },
      isUnseen ? element('span', { class: 'unseen' }, text) : text,
    ),
  )
  return element(
    'div',
    { class: 'wide', tabindex: 0, role: 'region', 'aria-label': title },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...tokens.map((token) => row(token, changed))),
    ),
  )
}

/** @param {Token} token @param {() => Promise<void>} changed */
function row(token, changed) {
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, token.name),
    element('td', { class: minor(true) }, time(token.createdAt, '')),
    element('td', {}, time(token.lastUsedAt, 'never')),
    element('td', {}, time(token.expiresAt, token.kind === 'session' ? 'when unused' : 'never')),
    element('td', { class: minor(true) }, token.readOnly ? 'read' : 'read and write'),
    token.isCurrent ? element('td', {}, 'this browser') : deletion(token, changed),
  )
}

/** The button, and after it the question whether that is meant. @param {Token} token @param {() => Promise<void>} changed */
function deletion(token, changed) {
  const cell = element('td', { class: 'actions' })
  const first = button('Delete', ask, { 'aria-label': `Delete ${token.name}` })
  cell.append(first)

  function ask() {
    const keep = button('Keep', settle)
    cell.replaceChildren(
      'It stops working at once. ',
      button('Delete it', () => void remove(), { class: 'danger' }),
      keep,
    )
    keep.focus()
  }

  function settle() {
    cell.replaceChildren(first)
    first.focus()
  }

  async function remove() {
    try {
      await call(ADDRESSES.revokeToken, { at: { id: token._id } })
      announce(`Deleted ${token.name}`)
      await changed()
    } catch (error) {
      cell.replaceChildren(refusalBox(error))
    }
  }

  return cell
}
