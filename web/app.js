import { showAccount } from './account-view.js'
import { readAddress } from './address.js'
import { ADDRESSES, call, SESSION_ENDED } from './api.js'
import { announce, button, element } from './elements.js'
import { showLogIn } from './log-in-view.js'
import { showRecord } from './record-view.js'
import { COLLECTIONS } from './record-words.js'
import { createRecordsView } from './records-view.js'
import { beginSession, chosenAccount, forgetSession, switchAccount } from './session.js'

/** @typedef {{ user: { entity: { name: string, defaultAccountId: string } }, accounts: { entity: { _id: string, name: string } }[] }} Me */

const main = /** @type {HTMLElement} */ (document.getElementById('main'))
const navigation = /** @type {HTMLElement} */ (document.getElementById('navigation'))

/** The list that is shown: it takes new parameters without losing what is being typed. @type {{ name: string, update: (parameters: URLSearchParams) => void } | null} */
let list = null
/** Who is signed in. @type {Me | null} */
let me = null

/** Shows what the address says, or the login when nobody is logged in. */
function show() {
  const { view, id, parameters } = readAddress(location.hash)
  if (me === null) return showGuest()
  showNavigation(view)
  const collection = COLLECTIONS.find(({ name }) => name === view)
  if (collection === undefined)
    open(view === 'account' ? 'Account' : 'Not found', view === 'account' ? showAccount() : notFound())
  else if (id !== null) open(collection.title, showRecord(collection, id))
  else if (list?.name === collection.name) list.update(parameters)
  else {
    const { node, update } = createRecordsView(collection)
    open(collection.title, node)
    list = { name: collection.name, update }
    update(parameters)
  }
}

/** @param {string} title @param {HTMLElement} node */
function open(title, node) {
  list = null
  document.title = `${title} · Quarry`
  main.replaceChildren(node)
}

/** @param {string} [notice] */
function showGuest(notice) {
  me = null
  navigation.replaceChildren(element('a', { href: 'docs' }, 'API reference'))
  open('Log in', showLogIn(enter, notice))
}

function notFound() {
  return element(
    'section',
    {},
    element('h1', {}, 'There is no such page'),
    element('a', { href: '#/materials' }, 'To the materials'),
  )
}

/** @param {string} view */
function showNavigation(view) {
  const link = (/** @type {string} */ name, /** @type {string} */ text) =>
    element('a', { href: `#/${name}`, 'aria-current': name === view ? 'page' : undefined }, text)
  navigation.replaceChildren(
    ...COLLECTIONS.map(({ name, title }) => link(name, title)),
    link('account', `Account: ${me?.user.entity.name}`),
    element('a', { href: 'docs' }, 'API reference'),
    ...(me === null || me.accounts.length < 2 ? [] : [accountChoice(me)]),
    button('Log out', () => void logOut(), { class: 'plain' }),
  )
}

/** @param {Me} known */
function enter(known) {
  me = known
  beginSession()
  show()
}

/** Finds out who is signed in, in whichever tab, before anything is shown. */
async function begin() {
  try {
    const known = await call(ADDRESSES.showSession)
    if (known !== null) return enter(known)
    forgetSession()
    showGuest()
  } catch (error) {
    open('Log in', showLogIn(enter, /** @type {Error} */ (error).message))
  }
}

/** @param {Me} whom */
function accountChoice({ user, accounts }) {
  const current = chosenAccount() ?? user.entity.defaultAccountId
  const options = accounts.map(({ entity: { _id, name } }) =>
    element('option', { value: _id, selected: _id === current }, name),
  )
  const choice = element('select', { 'aria-label': 'Act in the account' }, ...options)
  choice.addEventListener('change', () => {
    switchAccount(choice.value)
    list = null
    show()
  })
  return choice
}

async function logOut() {
  await call(ADDRESSES.signOut).catch(() => null)
  forgetSession()
  showGuest('You are logged out.')
}

document.addEventListener(SESSION_ENDED, () => showGuest('Your session has ended. Log in again.'))
window.addEventListener('hashchange', () => {
  // A jump within the page.
  if (location.hash === '#main') return
  const before = main.firstChild
  show()
  // A new page begins at its top, for eyes and for screen readers; new results of the same list do not.
  if (main.firstChild === before) return
  window.scrollTo(0, 0)
  main.focus()
  announce(document.title)
})
void begin()
