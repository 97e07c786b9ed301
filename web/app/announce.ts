import { signal } from '@preact/signals'

/** What a screen reader says next. */
export const announced = signal('')

/** Tells something to people who do not see it. */
export function announce(text: string): void {
  announced.value = text
}
