// Which command runs which projects of vitest.config.ts. Every project is in one of them (`test/architecture/projects.test.ts`).

/** `npm test`: what a fault shows in nearly always. */
export const EVERYDAY = ['apart', 'core', 'smoke', 'sqlite']

/** `npm run test:more`, which continuous integration runs too. */
export const MORE = ['browser', 'postgres', 'processes', 'proofs']

/** @param {readonly string[]} names */
export function projectOptions(names) {
  return names.map((name) => `--project=${name}`)
}
