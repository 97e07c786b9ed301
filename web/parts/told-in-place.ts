import { signal } from '@preact/signals'

/** Ids of tasks of which the page that is open tells itself, so that the bar of tasks does not. */
export const toldInPlace = signal<ReadonlySet<string>>(new Set())
