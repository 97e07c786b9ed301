const END_OF_HEAD = Buffer.from('\r\n\r\n')

/**
 * Finds where one HTTP answer ends and the next begins without keeping or copying bodies, so that the loader costs little
 * beside the server. Answers must carry Content-Length, which all servers here do.
 */
export class AnswerCounter {
  readonly #onAnswer: (status: number) => void
  #head: Buffer = Buffer.alloc(0)
  #status = 0
  #bodyLeft = 0

  constructor(onAnswer: (status: number) => void) {
    this.#onAnswer = onAnswer
  }

  /** Takes what the socket gave; calls back once for each answer that ends in it. */
  feed(chunk: Buffer): void {
    let rest = chunk
    while (rest.length > 0) {
      if (this.#bodyLeft === 0) {
        const body = this.#readHead(rest)
        if (body === null) return
        rest = body
        if (this.#bodyLeft === 0) this.#onAnswer(this.#status)
        continue
      }
      const taken = Math.min(this.#bodyLeft, rest.length)
      this.#bodyLeft -= taken
      rest = rest.subarray(taken)
      if (this.#bodyLeft === 0) this.#onAnswer(this.#status)
    }
  }

  /** Gives what follows the head, or null while the head is not complete. */
  #readHead(chunk: Buffer): Buffer | null {
    const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
    const end = bytes.indexOf(END_OF_HEAD)
    if (end === -1) {
      this.#head = bytes
      return null
    }
    const head = bytes.toString('latin1', 0, end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)
    if (length === null) throw new Error(`an answer without Content-Length:\n${head}`)
    this.#head = Buffer.alloc(0)
    this.#status = Number(head.slice(9, 12))
    this.#bodyLeft = Number(length[1])
    return bytes.subarray(end + END_OF_HEAD.length)
  }
}
