import { useId, useState } from 'preact/hooks'
import { API } from '../../api/client.ts'
import { Link } from '../../app/router.tsx'
import type { Operation, Parameter } from './description.ts'
import { beginTyping, bodyTypeOf, keyOf, requestOf, type Typed } from './request.ts'
import { Samples } from './samples-view.tsx'
import { SchemaView } from './schema-view.tsx'
import { type Schema, schemaWords } from './schema-words.ts'
import { TryIt } from './try-it.tsx'

interface OperationProps {
  readonly operation: Operation
  readonly schemas: Readonly<Record<string, Schema>>
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
}

/** One operation: a line, and all that is to be known of it for who opens it. */
export function OperationView({ operation, schemas, isOpen, onToggle }: OperationProps) {
  const { id, method, path, summary } = operation
  return (
    <details
      id={id}
      class="operation"
      open={isOpen}
      onToggle={({ currentTarget }) => currentTarget.open !== isOpen && onToggle(currentTarget.open)}
    >
      <summary>
        <span class={`verb ${method.toLowerCase()}`}>{method}</span> <code>{path.replace(API, '')}</code>{' '}
        <span class="meaning">{summary}</span>
      </summary>
      {isOpen && <Opened operation={operation} schemas={schemas} />}
    </details>
  )
}

function Opened({ operation, schemas }: Pick<OperationProps, 'operation' | 'schemas'>) {
  const [typed, setTyped] = useState<Typed>(() => beginTyping(operation))
  const request = requestOf(operation, typed)
  const { id, description, isOpen, parameters, failures, success } = operation
  const answer = Object.values(success.content ?? {})[0]?.schema
  const type = bodyTypeOf(operation)
  return (
    <div class="opened">
      <div>
        {description !== '' && <p>{description}</p>}
        <p class="fine">
          <code>{id}</code>
          {isOpen ? ', needs no credential' : ''} · <a href={`#${id}`}>Link to this</a>
        </p>
        {parameters.length > 0 && <h3>Takes</h3>}
        {parameters.map((parameter) => (
          <ParameterField
            key={keyOf(parameter)}
            parameter={parameter}
            value={typed.values[keyOf(parameter)] ?? ''}
            onType={(value) => setTyped({ ...typed, values: { ...typed.values, [keyOf(parameter)]: value } })}
          />
        ))}
        {type !== null && (
          <BodyField
            operation={operation}
            schemas={schemas}
            body={typed.body}
            onType={(body) => setTyped({ ...typed, body })}
          />
        )}
        <h3>Answers</h3>
        <p>
          {success.status}: {success.description}
        </p>
        {answer !== undefined && <SchemaView schema={answer.properties?.['data'] ?? answer} schemas={schemas} />}
        <p class="fine">
          May refuse with {failures.map(({ status }) => status).join(', ')}; <Link to="/docs/errors">the codes</Link>.
        </p>
      </div>
      <div class="sending">
        <Samples operation={operation} request={request} />
        <TryIt operation={operation} request={request} />
      </div>
    </div>
  )
}

interface ParameterProps {
  readonly parameter: Parameter
  readonly value: string
  readonly onType: (value: string) => void
}

/** What a parameter means, and the place to type it. */
function ParameterField({ parameter, value, onType }: ParameterProps) {
  const { name, in: place, schema, description = '', required = false, example } = parameter
  const id = useId()
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : null)
  const shown = example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example)
  return (
    <div class="parameter">
      <label for={id}>
        <code>{name}</code>
        {required && <span class="needed"> needed</span>}
      </label>
      {choices === null ? (
        <input
          id={id}
          value={value}
          spellcheck={false}
          autocomplete="off"
          aria-describedby={`${id}-words`}
          onInput={({ currentTarget }) => onType(currentTarget.value)}
        />
      ) : (
        <select
          id={id}
          value={value}
          aria-describedby={`${id}-words`}
          onChange={({ currentTarget }) => onType(currentTarget.value)}
        >
          <option value="">left out</option>
          {choices.map((choice) => (
            <option key={String(choice)} value={String(choice)}>
              {String(choice)}
            </option>
          ))}
        </select>
      )}
      <small>
        <span id={`${id}-words`}>
          {description} <span class="type">{choices === null && typeWords(schema)}</span>
          {place === 'header' && <span class="type"> in a header</span>}
        </span>
        {shown !== '' && choices === null && (
          <button type="button" class="example" aria-label={`${name}: take ${shown}`} onClick={() => onType(shown)}>
            {shown}
          </button>
        )}
      </small>
    </div>
  )
}

/** That something is a text goes without saying. */
function typeWords(schema: Schema): string {
  const words = schemaWords(schema)
  return words === 'string' ? '' : `(${words})`
}

interface BodyProps {
  readonly operation: Operation
  readonly schemas: Readonly<Record<string, Schema>>
  readonly body: string
  readonly onType: (body: string) => void
}

function BodyField({ operation, schemas, body, onType }: BodyProps) {
  const id = useId()
  const types = Object.keys(operation.bodies)
  const type = bodyTypeOf(operation) ?? ''
  return (
    <>
      <h3>
        <label for={id}>Body</label> <span class="type">{types.join(' or ')}</span>
      </h3>
      <SchemaView schema={operation.bodies[type]?.schema ?? {}} schemas={schemas} />
      <textarea
        id={id}
        rows={Math.min(12, Math.max(4, body.split('\n').length))}
        spellcheck={false}
        value={body}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </>
  )
}
