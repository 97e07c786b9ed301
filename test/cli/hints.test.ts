import { expect, test } from 'vitest'
import { withHint } from '../../src/cli/console/output.ts'

test.each([
  [{ message: 'It is odd.', hint: 'Write 2.' }, 'It is odd. Write 2.'],
  [{ message: 'It is odd. Write 2.', hint: 'Write 2.' }, 'It is odd. Write 2.'],
  [{ message: 'It is odd.' }, 'It is odd.'],
])('a message that is printed ends with what to do, once: %j', (told, line) => {
  expect(withHint(told)).toBe(line)
})
