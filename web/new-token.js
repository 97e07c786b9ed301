import { API, ROOT } from './api.js'
import { button, copyable, element } from './elements.js'

/**
 * Shows a token the one time that it can be shown, with lines that use it.
 * @param {import('./token-form.js').CreatedToken} created
 */
export function showNewToken({ 'X-Account-Id': accountId, 'X-Auth-Token': token, token: { name } }) {
  const heading = element('h3', { tabindex: -1 }, `Copy the token “${name}” now`)
  const panel = element(
    'div',
    { class: 'fresh', role: 'group', 'aria-label': 'New token' },
    heading,
    element('p', {}, 'It is shown this once: the server keeps only its fingerprint. Whoever has it acts in your name.'),
    element('h4', {}, 'Account id'),
    copyable('account id', accountId),
    element('h4', {}, 'Token'),
    copyable('token', token),
    element('h4', {}, 'With curl'),
    copyable('curl command', curlLines(accountId, token)),
    element('h4', {}, 'With Python'),
    copyable('Python lines', pythonLines(accountId, token)),
    button('I have copied it', () => panel.remove()),
  )
  requestAnimationFrame(() => heading.focus())
  return panel
}

/** @param {string} accountId @param {string} token */
function curlLines(accountId, token) {
  return [
    `curl -G '${ROOT}${API}/materials' \\`,
    `  -H 'X-Account-Id: ${accountId}' \\`,
    `  -H 'X-Auth-Token: ${token}' \\`,
    `  --data-urlencode 'query={"formula":"Si"}'`,
  ].join('\n')
}

/** @param {string} accountId @param {string} token */
function pythonLines(accountId, token) {
  return [
    'import json, requests',
    `auth = {"X-Account-Id": "${accountId}", "X-Auth-Token": "${token}"}`,
    `answer = requests.get("${ROOT}${API}/materials", headers=auth,`,
    '                      params={"query": json.dumps({"formula": "Si"})})',
    'print([material["name"] for material in answer.json()["data"]])',
  ].join('\n')
}
