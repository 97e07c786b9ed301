/** Properties of the styles that a drawing takes with it. */
const STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'stroke-linecap',
  'paint-order',
  'opacity',
  'font-size',
  'font-family',
  'font-weight',
] as const
/** What is for the page alone. */
const OF_THE_PAGE = ['class', 'tabindex', 'role', 'aria-label', 'aria-roledescription', 'aria-describedby']

/** A drawing of the page as a file of its own, with the colours that it is seen in. */
export function svgFile(svg: SVGSVGElement, background: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const [seen, written] = [svg, copy].map((one) => [one, ...one.querySelectorAll('*')])
  for (const [index, element] of (written ?? []).entries()) {
    const style = getComputedStyle((seen ?? [])[index] as Element)
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name))
    for (const name of OF_THE_PAGE) element.removeAttribute(name)
  }
  for (const one of copy.querySelectorAll('[data-pointed]')) one.remove()
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  for (const [name, value] of [
    ['width', '100%'],
    ['height', '100%'],
    ['fill', background],
  ] as const)
    paper.setAttribute(name, value)
  copy.prepend(paper)
  return new XMLSerializer().serializeToString(copy)
}
