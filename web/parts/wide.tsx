import type { ComponentChildren } from 'preact'

/** What may be wider than a phone: it is moved sideways within its own place, with the keyboard too. */
export function Wide({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  )
}
