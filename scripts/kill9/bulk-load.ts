import { request } from 'node:http'

/** A bulk load: records go in while what became of them comes out. */
export interface BulkLoad {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly lines: readonly string[]
  /** Told of each record that is stored, by the line that it was in, counted from 1. */
  readonly stored: (line: number, id: string) => void
}

const LINES_AT_ONCE = 25

/** Sends all lines, or as many as the server lives to take; ends either way. */
export function loadInBulk({ url, headers, lines, stored }: BulkLoad): Promise<void> {
  return new Promise((resolve) => {
    const sending = request(`${url}/api/2018-10-01/materials/bulk`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
    })
    sending.on('error', () => resolve())
    sending.on('close', () => resolve())
    sending.on('response', (response) => {
      response.on('error', () => resolve())
      // What comes after the last line break was not said completely.
      let rest = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const texts = `${rest}${chunk}`.split('\n')
        rest = texts.pop() ?? ''
        for (const text of texts) {
          const report = JSON.parse(text) as { readonly line: number; readonly outcome?: string; readonly _id: string }
          if (report.outcome === 'stored') stored(report.line, report._id)
        }
      })
    })
    let sent = 0
    const sendOn = (): void => {
      if (sending.destroyed) return
      if (sent >= lines.length) {
        sending.end()
        return
      }
      const some = lines.slice(sent, sent + LINES_AT_ONCE)
      sent += some.length
      sending.write(`${some.join('\n')}\n`, () => setImmediate(sendOn))
    }
    sendOn()
  })
}
