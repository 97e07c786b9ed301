import { type FormField, isFields, type Path, pointerOf } from './form-field.ts'

type Fields = Readonly<Record<string, unknown>>

export function valueIn(record: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)]
    return isFields(at) && Object.hasOwn(at, step) ? at[step] : undefined
  }, record)
}

/** A record with another value at a path; undefined takes it away, and the objects that have nothing left without it. */
export function withValue(record: Fields, path: Path, value: unknown): Fields {
  return (changed(record, path, value) ?? {}) as Fields
}

function changed(at: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (Array.isArray(at) || (at === undefined && typeof step === 'number')) {
    const list = Array.isArray(at) ? at : []
    const inner = changed(list[Number(step)], rest, value)
    // An entry without fields is an entry all the same: it is taken away as such.
    return list.map((one, index) => (index === step ? (inner ?? {}) : one))
  }
  const { [String(step)]: before, ...others } = isFields(at) ? at : {}
  const inner = changed(before, rest, value)
  if (inner === undefined) return Object.keys(others).length === 0 ? undefined : others
  // A field that was there stays in its place.
  if (isFields(at) && Object.hasOwn(at, step)) return { ...at, [step]: inner }
  return { ...others, [step]: inner }
}

/** What an object has beside the fields that are written elsewhere. */
export function restOf(value: unknown, known: readonly string[] | null): unknown {
  if (known === null) return value
  return isFields(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !known.includes(name))) : {}
}

/** An object with another rest. */
export function withRest(value: unknown, known: readonly string[] | null, rest: unknown): unknown {
  if (known === null) return rest
  const kept = isFields(value) ? Object.entries(value).filter(([name]) => known.includes(name)) : []
  const others = isFields(rest) ? Object.entries(rest).filter(([name]) => !known.includes(name)) : []
  return Object.fromEntries([...kept, ...others])
}

/** What the server has against a record, and where. */
export interface Violation {
  readonly pointer: string
  readonly expected: string
  readonly given: string
}

/** The key of a field: two at the same path are told apart by whether they are the rest of it. */
export function keyOf({ path, control }: FormField): string {
  return `${pointerOf(path)}${control.kind === 'json' && control.known !== null ? '/*' : ''}`
}

/** What is wrong, by the field that it is said at: the one that has the place, or the nearest around it. */
export function placed(
  fields: readonly FormField[],
  violations: readonly Violation[],
): ReadonlyMap<string, readonly Violation[]> {
  const all = fields.flatMap(withInner)
  const found = new Map<string, Violation[]>()
  for (const violation of violations) {
    const around = all.filter(({ path }) => isWithin(violation.pointer, pointerOf(path)))
    const nearest = around.sort((one, other) => nearness(other, violation) - nearness(one, violation))[0]
    if (nearest === undefined) continue
    found.set(keyOf(nearest), [...(found.get(keyOf(nearest)) ?? []), violation])
  }
  return found
}

function isWithin(pointer: string, above: string): boolean {
  return pointer === above || pointer.startsWith(`${above}/`)
}

/** The longest path counts; at its end the field itself, before the rest of it. */
function nearness({ path, control }: FormField, { pointer }: Violation): number {
  const isRest = control.kind === 'json' && control.known !== null
  return path.length * 2 + (isRest === (pointer !== pointerOf(path)) ? 1 : 0)
}

function withInner(field: FormField): readonly FormField[] {
  const { control } = field
  switch (control.kind) {
    case 'group':
    case 'variants':
      return [field, ...control.fields.flatMap(withInner)]
    case 'items':
      return [field, ...control.items.flat().flatMap(withInner)]
    default:
      return [field]
  }
}

/** Where a form has a place for fields that no schema knows. */
export function restPointers(fields: readonly FormField[]): readonly string[] {
  return fields
    .flatMap(withInner)
    .filter(({ control }) => control.kind === 'json' && control.known !== null)
    .map(({ path }) => pointerOf(path))
}

/** What a violation says of a field. */
export function wordsOf({ expected, given }: Violation): string {
  return given === 'nothing' ? `is missing: give ${expected}` : `should be ${expected}, not ${given}`
}

/** A number as it is typed; the text itself where it is none, so that it is refused at its place and not lost. */
export function readNumber(text: string): number | string | undefined {
  const trimmed = text.trim().replace(/^−/, '-')
  if (trimmed === '') return undefined
  const number = Number(trimmed)
  return Number.isFinite(number) ? number : text
}

/** A list as it is typed: texts one a line, numbers with spaces or commas between. */
export function readList(text: string, of: 'string' | 'number'): readonly (string | number)[] | undefined {
  const parts = (of === 'string' ? text.split('\n') : text.split(/[\s,;]+/)).map((part) => part.trim())
  const given = parts.filter((part) => part !== '')
  if (given.length === 0) return undefined
  return of === 'string' ? given : given.map((part) => readNumber(part) ?? part)
}

export function listText(value: unknown, of: 'string' | 'number'): string {
  return Array.isArray(value) ? value.join(of === 'string' ? '\n' : ', ') : ''
}
