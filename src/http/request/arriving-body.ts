import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { holdBytes } from '../bounds/held.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { userOf } from './user-of.ts'

/** Of a body whose length nobody has told, room is taken in steps. */
const STEP_BYTES = 256 * 1024

/** Reads a body to its end. Room for it is taken before it is read; whoever stops sending is not waited for. */
export function readArriving(payload: IncomingMessage, reply: FastifyReply): Promise<Buffer> {
  const limit = reply.request.routeOptions.bodyLimit
  const length = Number(payload.headers['content-length'] ?? Number.NaN)
  if (length > limit) return Promise.reject(bodyTooLarge(limit))
  const { socket } = payload
  const { intake } = reply.server
  const user = userOf(reply.request)
  return new Promise((resolve, reject) => {
    const room = new Room(length, limit, reply)
    const settle = (settled: () => void): void => {
      payload.off('data', take).off('end', finish).off('error', fail).off('close', fail).off('timeout', tire)
      socket.setTimeout(0)
      settled()
    }
    const take = (chunk: Buffer): void => {
      try {
        room.add(chunk)
        intake.note(user, payload)
      } catch (error) {
        settle(() => reject(error))
      }
    }
    const finish = (): void => settle(() => resolve(room.whole))
    const fail = (): void => settle(() => reject(brokenOff()))
    const tire = (): void => settle(() => reject(stalled(reply.server.stallMs)))
    payload.on('data', take).on('end', finish).on('error', fail).on('close', fail).on('timeout', tire)
    socket.setTimeout(reply.server.stallMs)
  })
}

/** Where a body is put together: in one piece where its length is told beforehand. */
class Room {
  readonly #limit: number
  readonly #reply: FastifyReply
  /** Bytes that room has been taken for. */
  #held = 0
  #length = 0
  #space: Buffer | null = null
  readonly #chunks: Buffer[] = []
  readonly #isTold: boolean

  constructor(told: number, limit: number, reply: FastifyReply) {
    this.#limit = limit
    this.#reply = reply
    this.#isTold = told > 0
    if (this.#isTold) this.#hold(told)
  }

  /** All that has come. */
  get whole(): Buffer {
    if (this.#space !== null) return this.#space.subarray(0, this.#length)
    const [only, second] = this.#chunks
    return only !== undefined && second === undefined ? only : Buffer.concat(this.#chunks)
  }

  add(chunk: Buffer): void {
    const end = this.#length + chunk.length
    if (end > this.#limit) throw bodyTooLarge(this.#limit)
    if (end > this.#held) this.#hold(Math.max(STEP_BYTES, end - this.#held))
    if (this.#isTold && chunk.length < this.#held) this.#space ??= Buffer.allocUnsafeSlow(this.#held)
    if (this.#space === null) this.#chunks.push(chunk)
    else chunk.copy(this.#space, this.#length)
    this.#length = end
  }

  #hold(bytes: number): void {
    holdBytes(bytes, this.#reply)
    this.#held += bytes
  }
}

/** Makes the error for a body that is longer than what is read at its address. */
export function bodyTooLarge(limit: number): AppError {
  return new AppError(
    HTTP_ERRORS.bodyTooLarge,
    `The body is larger than ${limit} bytes, the most that is taken here.`,
    { limit },
  )
}

function brokenOff(): AppError {
  return new AppError(HTTP_ERRORS.malformedRequest, 'The request broke off.')
}

function stalled(milliseconds: number): AppError {
  const message = `Nothing of the body has come for ${milliseconds / 1000} s; it is not waited for any longer.`
  return new AppError(HTTP_ERRORS.requestTimeout, message)
}
