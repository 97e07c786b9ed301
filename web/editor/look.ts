import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The colours are those of the page, in either theme: its custom properties reach into the shadow root. */
const theme = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--paper)',
    border: '1px solid var(--faint)',
    borderRadius: 'var(--radius)',
    fontSize: '0.9rem',
  },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '1.5',
    maxHeight: 'var(--editor-most, 40vh)',
    overflow: 'auto',
  },
  '.cm-content, .cm-gutter': { minHeight: 'var(--editor-least, 2.5rem)' },
  '.cm-content': { padding: '0.4rem 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 0.6rem' },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--faint)', borderRight: '1px solid var(--line)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--panel)', borderColor: 'var(--line)', color: 'var(--faint)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-panel)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--mark)' },
  // The marks that come with the editor are pictures in `data:` addresses, which the policy of contents forbids.
  '.cm-lintRange': { backgroundImage: 'none', paddingBottom: '0' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--fault)', backgroundColor: 'var(--mark)' },
  '.cm-lintRange-warning': { textDecoration: 'underline wavy var(--warn)' },
  '.cm-lintRange-active': { backgroundColor: 'var(--mark)' },
  '.cm-lintPoint': { '&:after': { borderBottomColor: 'var(--fault)' } },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-diagnostic': { fontFamily: 'system-ui, sans-serif', fontSize: '0.9rem' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--fault)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    maxHeight: '16rem',
    maxWidth: 'min(44rem, 95vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { display: 'flex', gap: '1rem', padding: '0.15rem 0.6rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': {
    marginLeft: 'auto',
    color: 'var(--faint)',
    fontFamily: 'system-ui, sans-serif',
    fontStyle: 'normal',
    fontSize: '0.85em',
  },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)' },
})

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.keyword, color: 'var(--code-word)', fontWeight: '600' },
  { tag: [tags.string, tags.regexp], color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--code-word)' },
  { tag: tags.invalid, color: 'var(--fault)' },
  { tag: [tags.bracket, tags.punctuation], color: 'var(--faint)' },
])

export const look = [theme, syntaxHighlighting(colours)]
