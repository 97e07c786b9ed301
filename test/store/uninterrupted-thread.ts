import { serveReads } from '../../src/store/threads/serve-reads.ts'

/** Does what cannot be interrupted: works without end, or waits without end. */
serveReads<{ readonly kind: 'work' | 'wait' }>(
  ({ kind }) => {
    if (kind === 'wait') return new Promise(() => {})
    for (;;);
  },
  (error) => error,
)
