import { STATUS_CODES } from 'node:http'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { LICENSE } from '../../kernel/project-files.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { API_VERSION } from '../address.ts'
import { LINES_TYPE } from '../exchange/head.ts'
import type { Operation, QueryParameter, Route } from '../exchange/route.ts'
import { envelope, FAULT, reference, WARNING } from './schemas.ts'

/** Parts shared by many operations, written once: the description would be twice as long without. */
export class SharedComponents {
  readonly #parameters = new Map<string, JsonObject>()
  readonly #names = new Map<string, string>()
  readonly #responses = new Map<string, JsonObject>()

  /** A parameter by reference; two that differ have different names here, whatever they are called. */
  parameter(parameter: JsonObject & { readonly name: string }): JsonObject {
    const text = JSON.stringify(parameter)
    let name = this.#names.get(text)
    if (name === undefined) {
      name = this.#freeName(parameter.name)
      this.#names.set(text, name)
      this.#parameters.set(name, parameter)
    }
    return { $ref: `#/components/parameters/${name}` }
  }

  /** The answer with a status that says no, by reference. */
  failure(status: number): JsonObject {
    const description = STATUS_CODES[status] ?? 'Failure'
    const name = description.replaceAll(/\W/g, '')
    this.#responses.set(name, { description, content: { 'application/json': { schema: reference('Fault') } } })
    return { $ref: `#/components/responses/${name}` }
  }

  /** Targets of references. */
  components(): JsonObject {
    return { parameters: Object.fromEntries(this.#parameters), responses: Object.fromEntries(this.#responses) }
  }

  #freeName(wanted: string): string {
    let name = wanted
    for (let n = 2; this.#parameters.has(name); n++) name = `${wanted}-${n}`
    return name
  }
}

/** Failures that any request can run into. */
const ANYWHERE = [400, 414, 431, 500, 503]
const WITH_SESSION = [401]
const WITH_BODY = [413, 415]
/** An `Idempotency-Key` that was used for another request. */
const WITH_KEY = [422]
const IDEMPOTENCY_KEY = {
  'Idempotency-Key':
    'A text of your own, such as a UUID: sent again within 24 hours, the request is not carried out again and has the same answer.',
}

/** Describes the routes as an OpenAPI 3.1 document: generated from the same list that the server is built from. */
export function openApiDocument(routes: readonly Route[], kinds: readonly RecordKind[]): JsonObject {
  const paths: Record<string, Record<string, Json>> = {}
  const shared = new SharedComponents()
  for (const route of routes) {
    const { operation } = route
    if (operation === undefined) continue
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toString().toLowerCase()] = operationOf(route, operation, shared)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quarry',
      version: API_VERSION,
      description: 'Materials and methods, served as JSON and answered by MongoDB queries.',
      license: { name: LICENSE, identifier: LICENSE },
    },
    security: [{ accountId: [], authToken: [] }, { bearer: [] }],
    paths: likeBesideLike(paths, kinds),
    components: {
      securitySchemes: {
        accountId: { type: 'apiKey', in: 'header', name: 'X-Account-Id' },
        authToken: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: schemasOf(kinds),
      ...shared.components(),
    },
  }
}

export function schemasOf(kinds: readonly RecordKind[]): Readonly<Record<string, JsonObject>> {
  return {
    Fault: FAULT,
    Warning: WARNING,
    ...Object.fromEntries(kinds.map((kind) => [schemaName(kind), embeddable(kind)])),
  }
}

/** Groups operations that are alike for all kinds: gzip sees 32 KiB back, and all operations of a kind are more. */
function likeBesideLike(paths: Readonly<Record<string, Json>>, kinds: readonly RecordKind[]): JsonObject {
  const collections = new Set(kinds.map(({ collection }) => collection))
  const groups = new Map<string, [string, Json][]>()
  for (const entry of Object.entries(paths)) {
    const like = entry[0]
      .split('/')
      .map((step) => (collections.has(step) ? '*' : step))
      .join('/')
    groups.set(like, [...(groups.get(like) ?? []), entry])
  }
  return Object.fromEntries([...groups.values()].flat())
}

/** The name under which the description keeps the schema of a kind. */
export function schemaName({ name }: RecordKind): string {
  return pascalCase(name)
}

/** `bank-material` as names of types and functions have it: `BankMaterial`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** A draft-07 schema within another document: its address would move the base of every reference in it. */
function embeddable(kind: RecordKind): JsonObject {
  const { $schema: _schema, $id: _id, ...schema } = kind.schema
  return rebased(schema, `#/components/schemas/${schemaName(kind)}`)
}

/** References within a schema start at its root, which is further down in the description. */
function rebased<Value extends Json>(value: Value, root: string): Value {
  if (Array.isArray(value)) return value.map((item: Json) => rebased(item, root)) as Json as Value
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, item]): [string, Json] => {
    const isLocal = key === '$ref' && typeof item === 'string' && item.startsWith('#')
    return [key, isLocal ? root + item.slice(1) : rebased(item, root)]
  })
  return Object.fromEntries(entries) as Json as Value
}

function operationOf(route: Route, operation: Operation, shared: SharedComponents): JsonObject {
  const parameters = parametersOf(route, operation).map((parameter) => shared.parameter(parameter))
  const failures = failuresOf(route, operation).map((status) => [status, shared.failure(status)])
  const body = bodyOf(operation)
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(route.access !== 'session' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: body }),
    responses: { ...successOf(operation), ...Object.fromEntries(failures) },
  }
}

/** A parameter as the description has it. */
export type Parameter = JsonObject & {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: JsonObject
  readonly description?: string
  readonly required?: boolean
  readonly example?: Json
}

/** Everything that an operation takes beside its body. */
export function parametersOf({ path, repeats }: Route, operation: Operation): readonly Parameter[] {
  const headers = { ...operation.headers, ...(repeats === 'kept' ? IDEMPOTENCY_KEY : {}) }
  return [...pathParameters(path), ...queryParameters(operation), ...headerParameters(headers)]
}

export function failuresOf({ access, method, repeats }: Route, { failures = [] }: Operation): readonly number[] {
  const statuses = [
    ...ANYWHERE,
    ...(access === 'session' ? WITH_SESSION : []),
    ...(method === 'GET' ? [] : WITH_BODY),
    ...(repeats === 'kept' ? WITH_KEY : []),
    ...failures,
  ]
  return [...new Set(statuses)].sort()
}

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query = [] }: Operation): Parameter[] {
  return query.map(({ name, description, schema, example }: QueryParameter) => ({
    name,
    in: 'query',
    description,
    schema,
    ...(example === undefined ? {} : { example }),
  }))
}

function headerParameters(headers: NonNullable<Operation['headers']>): Parameter[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))
}

/** What an operation takes as its body, by media type; null for none. */
export function bodyOf({ body }: Operation): { required: boolean; content: Record<string, JsonObject> } | null {
  if (body === undefined) return null
  const { schema, example, isForm = false, isLines = false, upload, required = true } = body
  const content = { schema, ...(example === undefined ? {} : { example }) }
  if (isLines) return { required, content: { [LINES_TYPE]: content } }
  const forms = isForm ? { 'application/x-www-form-urlencoded': content } : {}
  const files = upload === undefined ? {} : { 'multipart/form-data': { schema: upload } }
  return { required, content: { ...forms, 'application/json': content, ...files } }
}

function successOf({ success }: Operation): JsonObject {
  const { status = 200, description, schema, example, types, isPlain = false } = success
  if (types !== undefined) {
    return { [status]: { description, content: Object.fromEntries(types.map((type) => [type, { schema }])) } }
  }
  const whole = isPlain ? schema : envelope(schema, success)
  const shown = isPlain || example === undefined ? example : { status: 'success', data: example }
  return {
    [status]: {
      description,
      content: { 'application/json': { schema: whole, ...(shown === undefined ? {} : { example: shown }) } },
    },
  }
}
