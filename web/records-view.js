import { listAddress } from './address.js'
import { ADDRESSES, call, callWarned } from './api.js'
import { announce, button, element, field } from './elements.js'
import { recordsTable } from './records-table.js'
import { refusalBox, warningBoxes } from './refusal-box.js'

/** @typedef {import('./record-words.js').Collection} Collection */
/** @typedef {{ query: string, sort: string, limit: string, skip: string }} Asked What is asked, as it is typed. */

const DEFAULT_LIMIT = '25'

/**
 * The form for a query and the table of what it finds. What is asked is in the address, so that it can be kept and sent.
 * @param {Collection} collection
 */
export function createRecordsView(collection) {
  const form = queryForm(collection)
  const results = element('div', { class: 'results' })
  let turn = 0

  /** @param {URLSearchParams} parameters */
  async function update(parameters) {
    const asked = readAsked(parameters)
    const mine = ++turn
    form.show(asked)
    results.setAttribute('aria-busy', 'true')
    const shown = await answer(collection, asked)
    // A later question overtook this one.
    if (mine !== turn) return
    results.removeAttribute('aria-busy')
    results.replaceChildren(...shown)
  }

  const node = element('section', {}, element('h1', {}, collection.title), form.node, results)
  return { node, update: (/** @type {URLSearchParams} */ parameters) => void update(parameters) }
}

/** @param {URLSearchParams} parameters @returns {Asked} */
function readAsked(parameters) {
  const text = (/** @type {string} */ name) => parameters.get(name) ?? ''
  return { query: text('query'), sort: text('sort'), limit: text('limit') || DEFAULT_LIMIT, skip: text('skip') }
}

/** @param {Collection} collection */
function queryForm(collection) {
  const query = element('textarea', {
    name: 'query',
    rows: 3,
    spellcheck: 'false',
    autocapitalize: 'none',
    placeholder: '{}',
  })
  const sort = element('input', {
    name: 'sort',
    spellcheck: 'false',
    autocapitalize: 'none',
    placeholder: '-createdAt',
  })
  const limit = element('input', { name: 'limit', type: 'number', min: 1, max: 500, inputmode: 'numeric' })
  const examples = collection.examples.map((text) => button(text, () => ask({ query: text }), { class: 'example' }))
  const form = element(
    'form',
    { class: 'query', role: 'search', 'aria-label': collection.title, novalidate: true },
    field('Query', query, 'MongoDB query as JSON, on any field. Ctrl+Enter searches; empty finds everything.'),
    element('div', { class: 'examples' }, 'For instance ', ...examples),
    element(
      'div',
      { class: 'row' },
      field('Sort by', sort, 'A field, with - before it for descending.'),
      field('Records a page', limit, 'From 1 to 500.'),
      element('button', { type: 'submit' }, 'Search'),
    ),
  )
  /** @param {Partial<Asked>} changed */
  function ask(changed) {
    const asked = { query: query.value.trim(), sort: sort.value.trim(), limit: limit.value, ...changed }
    const address = listAddress(collection.name, { ...asked, limit: asked.limit === DEFAULT_LIMIT ? '' : asked.limit })
    // The same question again is a wish for a fresh answer, which the browser does not take for a change.
    if (address === location.hash) window.dispatchEvent(new Event('hashchange'))
    else location.hash = address
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ask({})
  })
  query.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) ask({})
  })
  return {
    node: form,
    /** @param {Asked} asked */
    show(asked) {
      query.value = asked.query
      sort.value = asked.sort
      limit.value = asked.limit
    },
  }
}

/**
 * Asks for a page of records and for their number; gives what is to be shown.
 * @param {Collection} collection
 * @param {Asked} asked
 */
async function answer(collection, asked) {
  const at = { collection: collection.name }
  try {
    const search = searchOf(collection, asked)
    const { data: records, warnings } = await callWarned(ADDRESSES.listRecords, { at, search })
    // The list has understood the query, so it is JSON. A count that fails takes nothing away from the list.
    const body = `{"query":${asked.query || '{}'}}`
    const count = await call(ADDRESSES.countRecords, { at, body }).then(
      (data) => data.count,
      () => null,
    )
    return [...warningBoxes(warnings, asked.query), ...page(collection, asked, records, count)]
  } catch (error) {
    return [refusalBox(error, asked.query)]
  }
}

/**
 * The query goes as it was typed: what is wrong with it the server says best.
 * @param {Collection} collection
 * @param {Asked} asked
 */
function searchOf({ columns }, { query, sort, limit, skip }) {
  const fields = Object.fromEntries(columns.map(({ path }) => [path, 1]))
  const given = { query, projection: JSON.stringify({ fields }), sort, limit, skip }
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''))
}

/**
 * @param {Collection} collection
 * @param {Asked} asked
 * @param {any[]} records
 * @param {number | null} count
 */
function page(collection, asked, records, count) {
  const first = Number(asked.skip || 0)
  const limit = Number(asked.limit)
  const summary = summaryOf(collection, first, records.length, count)
  announce(summary)
  const hasMore = count === null ? records.length === limit : first + records.length < count
  const turnTo = (/** @type {string} */ text, /** @type {number} */ skip) =>
    element('a', { href: listAddress(collection.name, { ...asked, skip: skip === 0 ? '' : String(skip) }) }, text)
  return [
    element('p', { class: 'summary' }, summary),
    ...(records.length === 0 ? [] : [recordsTable(collection, asked, records)]),
    element(
      'nav',
      { class: 'row', 'aria-label': 'Pages of results' },
      first > 0 ? turnTo('← Previous', Math.max(0, first - limit)) : null,
      hasMore ? turnTo('Next →', first + limit) : null,
    ),
  ]
}

/** @param {Collection} collection @param {number} first @param {number} shown @param {number | null} count */
function summaryOf({ title, one }, first, shown, count) {
  const of = count === null ? '' : ` of ${count.toLocaleString()}`
  if (shown > 0) return `${title} ${(first + 1).toLocaleString()} to ${(first + shown).toLocaleString()}${of}.`
  return first > 0
    ? `There is nothing on this page${of === '' ? '' : `: the end is at ${count}`}.`
    : `No ${one} matches that is yours or public.`
}
