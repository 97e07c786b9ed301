import { connect } from 'node:net'
import { type Answer, assertContract } from './live-server.ts'

/** Sends bytes that no HTTP client would send, and reads the one answer to them; the server or the answer's end closes. */
export async function rawRequest(port: number, bytes: string | Buffer, waitMs = 5000): Promise<Answer> {
  const received = await exchange(port, bytes, waitMs)
  const split = received.indexOf('\r\n\r\n')
  if (split === -1)
    throw new Error(`no answer to ${JSON.stringify(bytes.toString('latin1').slice(0, 60))}: ${received}`)
  const [statusLine = '', ...lines] = received.subarray(0, split).toString('latin1').split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const status = Number(statusLine.split(' ')[1])
  const length = Number(headers.get('content-length') ?? 0)
  const text = received.subarray(split + 4, split + 4 + length).toString('utf8')
  const answer = { status, headers, text, body: text === '' ? undefined : JSON.parse(text) }
  assertContract(bytes.toString('latin1').split(' ', 1)[0] ?? '', answer)
  return answer
}

/** Collects what the server sends until the first whole answer, or until it closes. */
function exchange(port: number, bytes: string | Buffer, waitMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = Buffer.alloc(0)
    const finish = () => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(waitMs, () => {
      reject(new Error(`no whole answer after ${waitMs} ms: ${received.toString('latin1').slice(0, 200)}`))
      socket.destroy()
    })
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (isWhole(received)) finish()
    })
    socket.on('close', finish)
    socket.on('error', () => finish())
  })
}

function isWhole(received: Buffer): boolean {
  const split = received.indexOf('\r\n\r\n')
  if (split === -1) return false
  const head = received.subarray(0, split).toString('latin1')
  if (/^HTTP\/1.1 100/.test(head)) return false
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  return received.length >= split + 4 + length
}
