/**
 * What is used of JSON Schema.
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string | readonly string[]} [type]
 * @property {unknown} [const]
 * @property {readonly unknown[]} [enum]
 * @property {readonly Schema[]} [anyOf]
 * @property {readonly Schema[]} [oneOf]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {readonly string[]} [required]
 * @property {string} [description]
 * @property {unknown} [default]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {string} [pattern]
 * @property {string} [format]
 */

/**
 * Says in words what a schema allows; objects are opened `depth` levels.
 * @param {Schema} schema
 * @param {number} depth
 * @returns {string}
 */
export function schemaWords(schema, depth = 0) {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map((choice) => schemaWords(choice, depth)).join(' or ')
  if (schema.type === 'array')
    return `array of ${schema.items === undefined ? 'anything' : schemaWords(schema.items, depth)}`
  if (schema.type === 'object' && schema.properties !== undefined && depth > 0)
    return `{ ${members(schema, depth - 1)} }`
  const type = [schema.type ?? 'anything'].flat().join(' or ')
  return [schema.format ?? type, bounds(schema)].filter((part) => part !== '').join(' ')
}

/** @param {Schema} schema @param {number} depth */
function members({ properties = {}, required = [] }, depth) {
  return Object.entries(properties)
    .map(([name, one]) => `${name}${required.includes(name) ? '' : '?'}: ${schemaWords(one, depth)}`)
    .join(', ')
}

/** @param {Schema} schema */
function bounds({ minimum, maximum, minLength, maxLength }) {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `from ${minimum}`
  if (maxLength !== undefined) return `of ${minLength ?? 0} to ${maxLength} characters`
  return ''
}

/**
 * The members of an object, a row each: name, type, meaning. Empty for what is not an object with known members.
 * @param {Schema} schema
 * @param {Record<string, Schema>} schemas
 * @returns {[string, string, string][]}
 */
export function schemaRows(schema, schemas) {
  const { properties = {}, required = [] } =
    schema.$ref === undefined ? schema : (schemas[schemaWords(schema)] ?? schema)
  return Object.entries(properties).map(([name, one]) => {
    const presence = required.includes(name)
      ? ''
      : one.default === undefined
        ? ', optional'
        : `, else ${JSON.stringify(one.default)}`
    return [name, `${schemaWords(one)}${presence}`, one.description ?? '']
  })
}
