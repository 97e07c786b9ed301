import type { ComponentChildren } from 'preact'

/** A part of a drawing that is told in words elsewhere. */
export function ToldElsewhere({ children }: { readonly children: ComponentChildren }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it has the focus
  return <g aria-hidden="true">{children}</g>
}
