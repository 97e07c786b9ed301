import { Nesting } from '../../../kernel/json-nesting.ts'

/** Names of fields at the beginning of a JSON document, by where records may be. */
export interface RecordKeys {
  /** Of the document, of elements of the list that it is, and of lists that it has. */
  readonly own: ReadonlySet<string>
  /** Of the objects that the document has under names. */
  readonly named: ReadonlySet<string>
}

const COLON = 0x3a
const SPACE = 0x20
const BYTE_ORDER_MARK = 0xfeff

/** Places of records by what they are in: `{` an object, `[` a list. */
const OWN = ['{', '[{', '{[{']
const NAMED = '{{'

/** Finds the names of fields in the beginning of a text; none where it does not begin as a list or an object. */
export function recordKeys(head: string): RecordKeys {
  const own = new Set<string>()
  const named = new Set<string>()
  for (const { name, around } of namesIn(head)) {
    if (OWN.includes(around)) own.add(name)
    else if (around === NAMED) named.add(name)
  }
  return { own, named }
}

interface PlacedName {
  readonly name: string
  /** Kinds of what it is in, from the outside. */
  readonly around: string
}

function* namesIn(head: string): Generator<PlacedName> {
  const nesting = new Nesting()
  let [around, text, begun] = ['', '', 0]
  for (let at = 0; at < head.length; at++) {
    const code = head.charCodeAt(at)
    const { depth, inString } = nesting
    nesting.read(code)
    if (nesting.inString) {
      if (!inString) begun = at + 1
    } else if (inString) text = head.slice(begun, at)
    else if (nesting.depth > depth) around += head.charAt(at)
    else if (nesting.depth < depth) around = around.slice(0, nesting.depth)
    else if (depth === 0 && code > SPACE && code !== BYTE_ORDER_MARK) return
    else if (code === COLON) yield { name: text, around }
  }
}
