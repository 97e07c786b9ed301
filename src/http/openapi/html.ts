/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type HtmlPart = string | number | Html | null | readonly HtmlPart[]

/** Writes HTML: what is put in is text, in attributes too, unless it is HTML itself; null is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let text = strings[0] ?? ''
  for (const [at, part] of parts.entries()) text += written(part) + strings[at + 1]
  return new Html(text)
}

function written(part: HtmlPart): string {
  if (part === null) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  const text = String(part)
  return /[&<>"]/.test(text) ? text.replaceAll(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`) : text
}
