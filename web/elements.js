/** @typedef {Node | string | number | null} Child */

/**
 * Makes an element. Children that are not nodes become text nodes: nothing that a record says is ever read as HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | undefined>} attributes `true` sets an attribute without a value; `false` and undefined leave it out.
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value))
  }
  made.append(
    ...children.filter((child) => child !== null).map((child) => (child instanceof Node ? child : String(child))),
  )
  return made
}

/**
 * @param {string} text
 * @param {() => void} act
 * @param {Record<string, string>} attributes
 */
export function button(text, act, attributes = {}) {
  const made = element('button', { type: 'button', ...attributes }, text)
  made.addEventListener('click', act)
  return made
}

/**
 * A field with its label above and, when there is one, a hint below that belongs to it.
 * @param {string} text
 * @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} control
 * @param {string} [hint]
 */
export function field(text, control, hint) {
  if (hint === undefined) return element('label', { class: 'field' }, text, control)
  const id = `hint-${control.name}`
  control.setAttribute('aria-describedby', id)
  return element('div', { class: 'field' }, element('label', {}, text, control), element('small', { id }, hint))
}

/**
 * A text that is meant to be taken away, with the button for it.
 * @param {string} label What the text is, for the button.
 * @param {string} text
 */
export function copyable(label, text) {
  const pre = element('pre', { tabindex: 0, role: 'region', 'aria-label': label }, text)
  return element('div', { class: 'copyable' }, pre, copyButton(label, text))
}

/**
 * @param {string} label
 * @param {string} text
 */
function copyButton(label, text) {
  const copy = button('Copy', () => void take(), { 'aria-label': `Copy ${label}` })
  async function take() {
    // Without TLS browsers give no clipboard to a page of another host.
    const copied = await Promise.resolve(navigator.clipboard?.writeText(text)).then(
      () => navigator.clipboard !== undefined,
      () => false,
    )
    copy.textContent = copied ? 'Copied' : 'Select and copy by hand'
    announce(copied ? `Copied ${label}` : 'The browser does not let this page copy')
  }
  return copy
}

/** Tells something to people who do not see it. @param {string} text */
export function announce(text) {
  document.getElementById('announcements')?.replaceChildren(text)
}

/** An instant as people write it here; the exact one is in the attribute. @param {string | null | undefined} instant @param {string} otherwise */
export function time(instant, otherwise) {
  if (typeof instant !== 'string' || Number.isNaN(Date.parse(instant))) return otherwise
  const shown = new Date(instant).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return element('time', { datetime: instant, title: instant }, shown)
}
