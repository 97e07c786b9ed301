import { API_PREFIX } from '../address.ts'
import type { Operation, Route } from '../exchange/route.ts'
import { bodyOf, failuresOf, type Parameter, parametersOf } from './document.ts'
import { type Html, html } from './html.ts'
import { schemaHtml, schemaWords } from './schema-html.ts'

const JSON_TYPE = 'application/json'

export type DescribedRoute = Route & { readonly operation: Operation }

/** Shows an operation as a line and, in a `template`, a form; `alike`: collections of other kinds with the ids of their operations. */
export function operationHtml(route: DescribedRoute, alike: string): Html {
  const { operation } = route
  const { id, summary } = operation
  const method = String(route.method)
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
  const { types } = operation.success
  const answer = types === undefined || types.includes(JSON_TYPE) ? 'json' : 'text'
  return html`<details id="${id}" class="operation" data-alike="${alike}">
<summary><span class="verb ${method.toLowerCase()}">${method}</span> <code>${path.replace(API_PREFIX, '')}</code>
<span class="meaning">${summary}</span></summary>
<template><form class="opened" data-method="${method}" data-path="${path}" data-answer="${answer}"
data-type="${typeOf(operation)}" data-open="${String(route.access !== 'session')}">
<div>
${aboutHtml(route)}
${takenHtml(route)}
${answersHtml(route)}
</div>
<div class="sending"></div>
</form></template>
</details>\n`
}

function aboutHtml({ access, operation: { id, description } }: DescribedRoute): Html {
  return html`${description === undefined ? null : html`<p class="words">${description}</p>\n`}<p class="fine">
<code>${id}</code>${access === 'session' ? '' : ', needs no credential'} · <a href="#${id}">Link to this</a></p>`
}

function takenHtml(route: DescribedRoute): Html {
  const { operation } = route
  const parameters = parametersOf(route, operation)
  const heading = parameters.length === 0 ? null : html`<h3>Takes</h3>\n`
  return html`${heading}${parameters.map((one) => parameterHtml(operation.id, one))}${bodyHtml(operation)}`
}

/** What a parameter means, and the place to type it. */
function parameterHtml(
  operation: string,
  { name, in: place, schema, description, required, example }: Parameter,
): Html {
  const id = `${operation}-${place}-${name}`
  const choices = choicesOf(schema)
  const attributes = html`id="${id}" name="${place} ${name}" aria-describedby="${id}-words"`
  const options = choices?.map((choice) => html`<option>${String(choice)}</option>`)
  const field =
    options === undefined
      ? html`<input ${attributes} spellcheck="false" autocomplete="off">`
      : html`<select ${attributes}><option value="">left out</option>${options}</select>`
  const words = schemaWords(schema)
  // That something is a text goes without saying.
  const type = choices !== null || words === 'string' ? null : html` <span class="type">(${words})</span>`
  const shown = typeof example === 'string' ? example : JSON.stringify(example)
  const button = html`<button type="button" class="example" aria-label="${name}: take ${shown ?? ''}">${shown ?? ''}</button>`
  return html`<div class="parameter">
<label for="${id}"><code class="words">${name}</code>${required === true ? html` <span class="needed">needed</span>` : null}</label>
${field}
<small><span id="${id}-words">${description ?? ''}${type}${place === 'header' ? html` <span class="type">in a header</span>` : null}</span>
${shown === undefined || choices !== null ? null : button}</small>
</div>\n`
}

function choicesOf({ enum: values, type }: Parameter['schema']): readonly unknown[] | null {
  if (Array.isArray(values)) return values
  return type === 'boolean' ? [true, false] : null
}

/** Media type that a body is sent with from the page: JSON where the operation takes that. */
function typeOf(operation: Operation): string {
  const types = Object.keys(bodyOf(operation)?.content ?? {})
  return types.includes(JSON_TYPE) ? JSON_TYPE : (types[0] ?? '')
}

function bodyHtml(operation: Operation): Html | null {
  const body = bodyOf(operation)
  if (body === null || operation.body === undefined) return null
  const { schema, example } = operation.body
  const id = `${operation.id}-body`
  const text = example === undefined ? '' : JSON.stringify(example, null, 2)
  const rows = Math.min(12, Math.max(4, text.split('\n').length))
  return html`<h3><label for="${id}">Body</label> <span class="type">${Object.keys(body.content).join(' or ')}</span></h3>
${schemaHtml(schema)}
<textarea id="${id}" name="body" rows="${rows}" spellcheck="false">
${text}</textarea>\n`
}

function answersHtml(route: DescribedRoute): Html {
  const { success } = route.operation
  const failures = failuresOf(route, route.operation).join(', ')
  return html`<h3>Answers</h3>
<p>${success.status ?? 200}: ${success.description}</p>
${schemaHtml(success.schema)}
<p class="fine">May refuse with ${failures}; <a href="./docs/errors">the codes</a>.</p>`
}
