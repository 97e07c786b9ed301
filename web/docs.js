import { fetchDescription } from './api.js'
import { element } from './elements.js'
import { operationArticle } from './operation-article.js'
import { refusalBox } from './refusal-box.js'

/** @typedef {import('./operation-article.js').Operation} Operation */

/** Writes the reference from the description that the server gives of itself. @param {HTMLElement} place */
async function showReference(place) {
  try {
    const document = await fetchDescription()
    const byTag = grouped(operationsOf(document))
    place.replaceChildren(
      element('h2', { id: 'addresses' }, 'Addresses'),
      contents([...byTag]),
      ...[...byTag].flatMap(([tag, operations]) => [
        element('h2', { id: `tag-${tag}` }, tag),
        ...operations.map((operation) => operationArticle(operation, document.components.schemas)),
      ]),
    )
    // The browser looked for the place before it was there.
    window.document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
  } catch (error) {
    place.replaceChildren(refusalBox(error))
  }
}

/** @param {any} description @returns {Operation[]} */
function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      tag: operation.tags[0],
    })),
  )
}

/** @param {Operation[]} operations */
function grouped(operations) {
  /** @type {Map<string, Operation[]>} */
  const byTag = new Map()
  for (const operation of operations) byTag.set(operation.tag, [...(byTag.get(operation.tag) ?? []), operation])
  return byTag
}

/** @param {[string, Operation[]][]} groups */
function contents(groups) {
  const items = groups.map(([tag, operations]) =>
    element(
      'li',
      {},
      element('strong', {}, tag),
      element(
        'ul',
        {},
        ...operations.map(({ operationId, method, path, summary }) =>
          element(
            'li',
            {},
            element('a', { href: `#${operationId}` }, element('code', {}, `${method} ${shortened(path)}`)),
            ` ${summary}`,
          ),
        ),
      ),
    ),
  )
  return element('nav', { 'aria-label': 'Addresses' }, element('ul', { class: 'contents' }, ...items))
}

/** @param {string} path */
function shortened(path) {
  return path.replace('/api/2018-10-01', '')
}

void showReference(/** @type {HTMLElement} */ (document.getElementById('reference')))
