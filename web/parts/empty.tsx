import type { ComponentChildren } from 'preact'

/** What is said where there is nothing, and what one could do about it. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <div class="empty">{children}</div>
}
