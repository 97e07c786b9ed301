import { listAddress, recordAddress } from './address.js'
import { element, time } from './elements.js'
import { valueAt } from './record-words.js'

/** @typedef {import('./record-words.js').Collection} Collection */
/** @typedef {import('./record-words.js').Column} Column */
/** @typedef {import('./records-view.js').Asked} Asked */

/**
 * The records of one page. A click on the head of a column sorts by it, a second one the other way round.
 * @param {Collection} collection
 * @param {Asked} asked
 * @param {any[]} records
 */
export function recordsTable(collection, asked, records) {
  const heads = collection.columns.map((column) => head(collection, asked, column))
  const rows = records.map((record) =>
    element('tr', {}, ...collection.columns.map((column, index) => cell(collection, column, index, record))),
  )
  return element(
    'div',
    { class: 'wide', tabindex: 0, role: 'region', 'aria-label': `Table of ${collection.name}` },
    element('table', {}, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...rows)),
  )
}

/** @param {Collection} collection @param {Asked} asked @param {Column} column */
function head({ name }, asked, { path, title, isMinor }) {
  const isUp = asked.sort === path
  const isDown = asked.sort === `-${path}`
  const href = listAddress(name, { ...asked, skip: '', sort: isUp ? `-${path}` : path })
  return element(
    'th',
    {
      scope: 'col',
      class: isMinor ? 'minor' : undefined,
      'aria-sort': isUp ? 'ascending' : isDown ? 'descending' : undefined,
    },
    element('a', { href, title: `Sort by ${path}` }, title, isUp ? ' ↑' : isDown ? ' ↓' : null),
  )
}

/** @param {Collection} collection @param {Column} column @param {number} index @param {any} record */
function cell({ name, one }, { path, isMinor }, index, record) {
  const value = valueAt(record, path)
  const attributes = { class: isMinor ? 'minor' : undefined }
  if (index > 0) return element('td', attributes, shown(path, value))
  const title = typeof value === 'string' && value !== '' ? value : `unnamed ${one}`
  return element('th', { scope: 'row' }, element('a', { href: recordAddress(name, String(record._id)) }, title))
}

/** @param {string} path @param {unknown} value */
function shown(path, value) {
  if (path === 'createdAt') return time(/** @type {string} */ (value), '')
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
