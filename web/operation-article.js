import { ROOT } from './api.js'
import { copyable, element } from './elements.js'
import { schemaRows, schemaWords } from './schema-words.js'

/** @typedef {import('./schema-words.js').Schema} Schema */
/** @typedef {{ name: string, in: string, description?: string, schema: Schema, required?: boolean, example?: unknown }} Parameter */
/** @typedef {{ schema: Schema, example?: unknown }} Content */
/**
 * One method at one address, as the description of the API has it.
 * @typedef {object} Operation
 * @property {string} method
 * @property {string} path
 * @property {string} tag
 * @property {string} operationId
 * @property {string} summary
 * @property {string} [description]
 * @property {readonly unknown[]} [security]
 * @property {readonly Parameter[]} [parameters]
 * @property {{ required: boolean, content: Record<string, Content> }} [requestBody]
 * @property {Record<string, { description: string, content?: Record<string, Content> }>} responses
 */

/**
 * Writes what an address takes, what it answers and an example to paste.
 * @param {Operation} operation
 * @param {Record<string, Schema>} schemas What references lead to.
 */
export function operationArticle(operation, schemas) {
  const { method, path, operationId, summary, description, parameters = [], requestBody, responses } = operation
  const statuses = Object.keys(responses)
  const success = statuses.find((status) => status.startsWith('2')) ?? '200'
  const failures = statuses.filter((status) => !status.startsWith('2'))
  const body = requestBody === undefined ? undefined : Object.values(requestBody.content)[0]
  return element(
    'article',
    { id: operationId, 'aria-labelledby': `${operationId}-title` },
    element('h3', { id: `${operationId}-title` }, element('code', {}, `${method} ${path}`)),
    element('p', {}, `${summary}.`, description === undefined ? null : ` ${description}`),
    isOpen(operation) ? element('p', { class: 'fine' }, 'Needs no credential.') : null,
    parameters.length === 0
      ? null
      : rowsTable(
          'Takes',
          parameters.map(({ name, in: place, schema, description: words = '' }) => [
            name,
            `${schemaWords(schema)}, in the ${placeName(place)}`,
            words,
          ]),
        ),
    body === undefined
      ? null
      : rowsTable(`Body, ${Object.keys(requestBody?.content ?? {}).join(' or ')}`, bodyRows(body.schema, schemas)),
    element('h4', {}, 'Answers'),
    element('p', {}, `${success}: ${responses[success]?.description ?? ''} `, answerWords(responses[success])),
    element(
      'p',
      { class: 'fine' },
      `May refuse with ${failures.join(', ')}; `,
      element('a', { href: 'docs/errors.md' }, 'the codes'),
      '.',
    ),
    copyable(`curl example of ${operationId}`, curlExample(operation)),
  )
}

/** @param {Operation} operation */
function isOpen({ security }) {
  return security !== undefined && security.length === 0
}

/** @param {string} place */
function placeName(place) {
  return place === 'query' ? 'URL' : place
}

/** @param {Schema} schema @param {Record<string, Schema>} schemas @returns {[string, string, string][]} */
function bodyRows(schema, schemas) {
  const rows = schemaRows(schema, schemas)
  return rows.length === 0 ? [['(whole)', schemaWords(schema), schema.description ?? '']] : rows
}

/** @param {string} title @param {readonly (readonly string[])[]} rows */
function rowsTable(title, rows) {
  return element(
    'div',
    // What is wider than a phone is moved sideways, with the keyboard too.
    { class: 'wide', tabindex: 0, role: 'group', 'aria-label': title },
    element(
      'table',
      {},
      element('caption', {}, title),
      element(
        'tbody',
        {},
        ...rows.map(([name = '', type = '', words = '']) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row' }, element('code', {}, name)),
            element('td', {}, type),
            element('td', {}, words),
          ),
        ),
      ),
    ),
  )
}

/** @param {Operation['responses'][string] | undefined} response */
function answerWords(response) {
  const schema = Object.values(response?.content ?? {})[0]?.schema
  if (schema === undefined) return null
  const data = schema.properties?.data
  return element('span', {}, data === undefined ? '' : 'data is ', element('code', {}, schemaWords(data ?? schema, 2)))
}

/** @param {Operation} operation */
function curlExample(operation) {
  const { method, path, parameters = [], requestBody } = operation
  const examples = method === 'GET' ? parameters.filter((one) => one.in === 'query' && one.example !== undefined) : []
  const options = [
    ...(isOpen(operation) ? [] : ['-H "X-Account-Id: $ACCOUNT"', '-H "X-Auth-Token: $TOKEN"']),
    ...examples.slice(0, 2).map(({ name, example }) => `--data-urlencode ${quoted(`${name}=${example}`)}`),
    ...bodyOptions(requestBody?.content ?? {}),
  ]
  const verb = method === 'GET' ? [] : ['-X', method]
  const asUrl = examples.length === 0 ? [] : ['-G']
  return [`${['curl', ...verb, ...asUrl].join(' ')} ${quoted(ROOT + path)}`, ...options].join(' \\\n  ')
}

/**
 * What makes curl send a body: the example, or a file where there is none.
 * @param {Record<string, Content>} content
 * @returns {string[]}
 */
function bodyOptions(content) {
  const json = content['application/json']
  const type = json === undefined ? Object.keys(content)[0] : 'application/json'
  if (type === undefined) return []
  const data = json?.example === undefined ? '--data-binary @FILE' : `-d ${quoted(JSON.stringify(json.example))}`
  return [`-H ${quoted(`Content-Type: ${type}`)}`, data]
}

/** A word of a shell. @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}
