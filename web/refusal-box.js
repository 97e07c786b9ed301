import { Refusal } from './api.js'
import { element } from './elements.js'
import { placeInJson, placeOfCharacter } from './place-in-json.js'

/**
 * Shows a refusal in the words of the server; within a query, the place that it is about is marked.
 * @param {unknown} error
 * @param {string} [query] The text of the query that was sent.
 */
export function refusalBox(error, query) {
  const { message, code, data } = asRefusal(error)
  const { hint, requestId } = data
  const place = query === undefined ? null : placeOf(data, query)
  return element(
    'div',
    { class: 'refusal', role: 'alert' },
    element('p', {}, element('strong', {}, message)),
    hint === undefined || message.includes(hint) ? null : element('p', {}, hint),
    place === null || query === undefined ? null : marked(query, place),
    code === undefined ? null : element('p', { class: 'fine' }, `Error ${code}, request ${requestId ?? 'without id'}`),
  )
}

/**
 * Shows what the server says beside an answer; within a query, the place that it is about is marked.
 * @param {readonly import('./api.js').Warning[]} warnings
 * @param {string} query The text of the query that was sent.
 */
export function warningBoxes(warnings, query) {
  return warnings.map(({ code, path, message }) => {
    const place = query === '' ? null : placeOf({ path }, query)
    return element(
      'div',
      { class: 'refusal warning', role: 'status' },
      element('p', {}, element('strong', {}, message)),
      place === null ? null : marked(query, place),
      element('p', { class: 'fine' }, `Warning ${code}. What was asked for is below.`),
    )
  })
}

/** @param {unknown} error */
function asRefusal(error) {
  if (error instanceof Refusal) return error
  console.error(error)
  return new Refusal('This page has a fault. Reload it; if it comes again, the browser console has the details.')
}

/** @param {import('./api.js').RefusalData} data @param {string} query */
function placeOf({ path = '', line, column }, query) {
  if (!/^query\b/.test(path)) return null
  return line === undefined || column === undefined
    ? placeInJson(query, path.slice('query'.length))
    : placeOfCharacter(query, line, column)
}

/** @param {string} text @param {import('./place-in-json.js').Place} place */
function marked(text, [start, end]) {
  const fault = text.slice(start, end)
  return element(
    'pre',
    { class: 'place' },
    text.slice(0, start),
    element('mark', {}, fault === '' || fault === '\n' ? '⏎' : fault),
    fault === '\n' ? '\n' : null,
    text.slice(end),
  )
}
