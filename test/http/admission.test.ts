import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createAdmission } from '../../src/http/bounds/admission.ts'

const REQUEST = {} as FastifyRequest
const REPLY = {} as FastifyReply

/** A handler whose answers end when they are told to. */
function held() {
  const ends: ((error?: Error) => void)[] = []
  const handler = () =>
    new Promise<FastifyReply>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve(REPLY) : reject(error)))
    })
  return { handler, end: (error?: Error) => ends.shift()?.(error) }
}

test('as many requests are answered as there are places, and the next one is told to come again', async () => {
  const admission = createAdmission(2)
  const { handler, end } = held()
  const admitted = admission.admit(handler)
  const [one, other] = [admitted(REQUEST, REPLY), admitted(REQUEST, REPLY)]
  expect(admission.answering).toBe(2)
  await expect(admitted(REQUEST, REPLY)).rejects.toMatchObject({ data: { retryAfterSeconds: 1 } })
  end()
  await one
  expect(admission.answering).toBe(1)
  const third = admitted(REQUEST, REPLY)
  end()
  end()
  await Promise.all([other, third])
  expect(admission.answering).toBe(0)
})

test('the place of an answer that fails is free again', async () => {
  const admission = createAdmission(1)
  const { handler, end } = held()
  const failing = admission.admit(handler)(REQUEST, REPLY)
  end(new Error('no disk'))
  await expect(failing).rejects.toThrow('no disk')
  expect(admission.answering).toBe(0)
})

test('answers that are given without a handler share the places, and give theirs back', () => {
  const admission = createAdmission(2)
  const leave = admission.enter()
  expect([leave === null, admission.enter() === null, admission.enter()]).toEqual([false, false, null])
  leave?.()
  expect(admission.answering).toBe(1)
  expect(admission.enter()).not.toBeNull()
})
