/** @typedef {{ readonly view: string, readonly id: string | null, readonly parameters: URLSearchParams }} PageAddress */

/**
 * Reads the part of the address after `#`: `/materials/ID` or `/materials?query=…`.
 * @param {string} hash
 * @returns {PageAddress}
 */
export function readAddress(hash) {
  const [path = '', search = ''] = splitOnce(hash.startsWith('#/') ? hash.slice(2) : '', '?')
  const [view = '', id = ''] = path.split('/', 2)
  return {
    view: view === '' ? 'materials' : view,
    id: id === '' ? null : decoded(id),
    parameters: new URLSearchParams(search),
  }
}

/**
 * Writes such an address; parameters that are empty are left out.
 * @param {string} view
 * @param {Readonly<Record<string, string>>} parameters
 */
export function listAddress(view, parameters) {
  const search = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''))
  return search.size === 0 ? `#/${view}` : `#/${view}?${search}`
}

/** @param {string} view @param {string} id */
export function recordAddress(view, id) {
  return `#/${view}/${encodeURIComponent(id)}`
}

/** @param {string} text @param {string} mark */
function splitOnce(text, mark) {
  const at = text.indexOf(mark)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
