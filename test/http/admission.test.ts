import { expect, test } from 'vitest'
import { createAdmission } from '../../src/http/server/request-listener.ts'

/** What answers requests, until it is told to end. */
function held() {
  const ends: ((error?: Error) => void)[] = []
  const run = () =>
    new Promise<void>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve() : reject(error)))
    })
  return { run, end: (error?: Error) => ends.shift()?.(error) }
}

test('as many requests are answered as there are places, and the next one is told to come again', async () => {
  const admission = createAdmission(2)
  const { run, end } = held()
  const [one, other] = [admission.admit(run), admission.admit(run)]
  expect(admission.answering).toBe(2)
  await expect(admission.admit(run)).rejects.toMatchObject({ data: { retryAfterSeconds: 1 } })
  end()
  await one
  expect(admission.answering).toBe(1)
  const third = admission.admit(run)
  end()
  end()
  await Promise.all([other, third])
  expect(admission.answering).toBe(0)
})

test('the place of an answer that fails is free again', async () => {
  const admission = createAdmission(1)
  const { run, end } = held()
  const failing = admission.admit(run)
  end(new Error('no disk'))
  await expect(failing).rejects.toThrow('no disk')
  expect(admission.answering).toBe(0)
})
