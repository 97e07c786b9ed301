import { ADDRESSES, call } from './api.js'
import { copyable, element } from './elements.js'
import { formatJson } from './format-json.js'
import { valueAt } from './record-words.js'
import { refusalBox } from './refusal-box.js'

/** @typedef {import('./record-words.js').Collection} Collection */

/** What stands above the JSON, when a record has it: path and name. */
const FACTS = /** @type {const} */ ([
  ['formula', 'Formula'],
  ['lattice.type', 'Lattice'],
  ['type', 'Type'],
  ['subtype', 'Subtype'],
  ['owner.slug', 'Owner'],
  ['_id', 'Identifier'],
])

/**
 * One record: a few facts and its JSON.
 * @param {Collection} collection
 * @param {string} id
 */
export function showRecord(collection, id) {
  const content = element('div', { 'aria-busy': 'true' }, element('p', {}, 'Loading…'))
  void fill()
  return element(
    'section',
    {},
    element('p', {}, element('a', { href: `#/${collection.name}` }, `← ${collection.title}`)),
    content,
  )

  async function fill() {
    const shown = await call(ADDRESSES.getRecord, { at: { collection: collection.name, id } }).then(
      (record) => present(collection, record),
      (error) => [element('h1', {}, collection.title), refusalBox(error)],
    )
    content.removeAttribute('aria-busy')
    content.replaceChildren(...shown)
  }
}

/** @param {Collection} collection @param {any} record */
function present({ one }, record) {
  const facts = FACTS.flatMap(([path, name]) => {
    const value = valueAt(record, path)
    return typeof value === 'string' ? [element('div', {}, element('dt', {}, name), element('dd', {}, value))] : []
  })
  return [
    element('h1', {}, typeof record.name === 'string' ? record.name : `Unnamed ${one}`),
    element('dl', { class: 'facts' }, ...facts),
    copyable(`JSON of this ${one}`, formatJson(record)),
  ]
}
