import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { type Diagnostic, forceLinting, linter, lintKeymap } from '@codemirror/lint'
import { Annotation, EditorState, type Extension, Prec, StateEffect } from '@codemirror/state'
import { EditorView, keymap, lineNumbers, placeholder, type ViewUpdate } from '@codemirror/view'
import { type KnownField, type Proposal, queryProposals, recordProposals } from './completions.ts'
import { cursorIn } from './json-cursor.ts'
import { foldsOfJson, jsonLanguage } from './json-language.ts'
import { look } from './look.ts'
import type { Problem } from './problems.ts'

/** What is edited: a query, or a record. */
export type Kind = 'query' | 'record'

/** What an editor is made of. What may change later is asked for when it is needed. */
export interface EditorParts {
  readonly kind: Kind
  readonly text: string
  readonly label: string
  readonly hint: string
  readonly submitsOn: 'Enter' | 'Mod-Enter'
  readonly onChange: (text: string) => void
  readonly onSubmit: () => void
  readonly fields: () => readonly KnownField[]
  /** What is wrong with a text. */
  readonly problemsIn: (text: string) => readonly Problem[]
}

export interface MountedEditor {
  /** Takes another text than the one that was typed. */
  setText(text: string): void
  /** Asks anew what is wrong. */
  check(): void
  focus(selection?: { readonly from: number; readonly to: number }): void
  remove(): void
}

/** Tells a text that was given to the editor from one that was typed. */
const FROM_OUTSIDE = Annotation.define<boolean>()

/** Asks for a look at a text that has not changed: what is known of it has. */
const CHECK = StateEffect.define<null>()

/** Milliseconds without typing after which the text is looked at. */
const CHECKED_AFTER = 300

/**
 * Puts an editor into an element. It stands in a shadow root, where its styles are sheets of their own: as elements of the page the policy of
 * contents would stop them.
 */
export function mountEditor(host: HTMLElement, parts: EditorParts): MountedEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({ doc: parts.text, extensions: extensionsOf(parts) }),
  })
  if (parts.kind === 'record') root.append(wayOut())
  return {
    setText(text) {
      if (text === view.state.doc.toString()) return
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: FROM_OUTSIDE.of(true),
      })
    },
    check() {
      view.dispatch({ effects: CHECK.of(null) })
      forceLinting(view)
    },
    focus(selection) {
      if (selection !== undefined) {
        const end = view.state.doc.length
        const [anchor, head] = [Math.min(selection.from, end), Math.min(selection.to, end)]
        view.dispatch({ selection: { anchor, head }, scrollIntoView: true })
      }
      view.focus()
    },
    remove: () => view.destroy(),
  }
}

const WAY_OUT = 'way-out'

/** Says how the editor of a record is left by key, beside it and to who does not see it. */
function wayOut(): HTMLElement {
  const words = document.createElement('small')
  words.id = WAY_OUT
  words.textContent = 'Escape, then Tab leads out.'
  return words
}

function extensionsOf(parts: EditorParts): Extension {
  const { kind, label, hint, onChange, onSubmit, submitsOn } = parts
  const submit = () => {
    onSubmit()
    return true
  }
  return [
    history(),
    jsonLanguage,
    indentUnit.of('  '),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ override: [(context) => completionsAt(context, parts)], icons: false }),
    linter(({ state }) => diagnosticsOf(state, parts), { delay: CHECKED_AFTER, needsRefresh: isAsked }),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      ...(kind === 'record' ? { 'aria-describedby': WAY_OUT } : {}),
    }),
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      const isTyped = docChanged && !transactions.some((one) => one.annotation(FROM_OUTSIDE) === true)
      if (isTyped) onChange(state.doc.toString())
    }),
    placeholder(hint),
    EditorView.domEventHandlers({ beforeinput: replacesSelection }),
    look,
    // A query leaves the Tab key to the page but where it takes a proposal; from a record Escape, then Tab leads out.
    Prec.high(
      keymap.of([
        { key: 'Tab', run: acceptCompletion },
        { key: 'Mod-Enter', run: submit },
      ]),
    ),
    submitsOn === 'Enter' ? keymap.of([{ key: 'Enter', run: submit }]) : [],
    kind === 'record' ? [lineNumbers(), foldGutter(), foldsOfJson, keymap.of([indentWithTab, ...foldKeymap])] : [],
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
  ]
}

/**
 * Puts what is typed in the place of what is selected. The browser would put it into an element that copies the look of the selection into a `style`
 * attribute, which the policy of contents reports.
 */
function replacesSelection(event: InputEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main
  const { data, inputType, isComposing } = event
  if (empty || isComposing || view.composing || inputType !== 'insertText' || data === null) return false
  const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' })
  const isTaken = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert))
  if (!isTaken) view.dispatch(insert())
  return true
}

function isAsked({ transactions }: ViewUpdate): boolean {
  return transactions.some(({ effects }) => effects.some((effect) => effect.is(CHECK)))
}

function diagnosticsOf(state: EditorState, { problemsIn }: EditorParts): readonly Diagnostic[] {
  const end = state.doc.length
  return problemsIn(state.doc.toString()).map(({ severity, message, from, to }) => ({
    severity,
    message,
    from: Math.min(from, end),
    to: Math.min(to, end),
  }))
}

function proposalsAt({ doc, selection }: EditorState, { kind, fields }: EditorParts) {
  const cursor = cursorIn(doc.toString(), selection.main.head)
  const proposals = (kind === 'query' ? queryProposals : recordProposals)(cursor, fields())
  return { cursor, proposals }
}

/** Nobody is asked to choose who has not begun to write. */
function completionsAt({ state, explicit }: CompletionContext, parts: EditorParts): CompletionResult | null {
  const { cursor, proposals } = proposalsAt(state, parts)
  if (proposals.length === 0 || (!explicit && cursor.typed === '' && cursor.quote === '')) return null
  return {
    from: cursor.from + cursor.quote.length,
    options: proposals.map((proposal, index) => completionOf(proposal, index, parts)),
    validFor: /^[\w.$-]*$/,
  }
}

/** Names of types that the list of proposals has colours for. */
const TYPES = { field: 'property', operator: 'keyword', value: 'constant' } as const

function completionOf({ kind, label, detail }: Proposal, index: number, parts: EditorParts): Completion {
  return {
    label,
    detail,
    type: TYPES[kind],
    // What stands first is meant more often.
    boost: Math.max(-index, -99),
    apply(view) {
      // More may have been typed since the list was made.
      const { cursor, proposals } = proposalsAt(view.state, parts)
      const chosen = proposals.find((one) => one.label === label && one.kind === kind)
      if (chosen === undefined) return
      view.dispatch({
        changes: { from: cursor.from, to: cursor.to, insert: chosen.text },
        selection: { anchor: cursor.from + chosen.caret },
        userEvent: 'input.complete',
        scrollIntoView: true,
      })
    },
  }
}
