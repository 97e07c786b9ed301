import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const S3_KEY = { keyId: 'Zq-key-id-8841', secret: 'Zq-secret-key-8842', region: 'eu-lab-1' } as const

interface StoredObject {
  readonly bytes: Buffer
  at: number
}

/** A server that speaks the protocol of S3 as far as a bucket of contents is used, and takes no request that is not signed by Signature Version 4. */
export class S3Server {
  readonly objects = new Map<string, StoredObject>()
  /** Requests that are answered with 503 before the next one that is carried out. */
  failures = 0
  readonly requests: string[] = []
  readonly #uploads = new Map<string, Map<number, Buffer>>()
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/quarry`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Makes objects as old as that. */
  age(part: string, milliseconds: number): void {
    for (const [key, object] of this.objects) if (key.includes(part)) object.at = Date.now() - milliseconds
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const url = new URL(request.url ?? '/', this.url)
    this.requests.push(`${request.method} ${url.pathname}${url.search}`)
    const refusal = this.#refusalOf(request, url, body)
    if (refusal !== null) {
      fail(response, ...refusal)
      return
    }
    const key = decodeURIComponent(url.pathname.slice('/quarry/'.length))
    if (key === '') this.#list(url, response)
    else if (request.method === 'PUT' || request.method === 'POST') this.#write(key, url, body, response)
    else if (request.method === 'DELETE') this.#delete(key, url, response)
    else this.#read(key, request, response)
  }

  #refusalOf(request: IncomingMessage, url: URL, body: Buffer): readonly [number, string] | null {
    if (this.failures > 0) {
      this.failures -= 1
      return [503, 'SlowDown']
    }
    if (!url.pathname.startsWith('/quarry/')) return [404, 'NoSuchBucket']
    if (!isSigned(request, url)) return [403, 'SignatureDoesNotMatch']
    const sum = request.headers['x-amz-checksum-sha256']
    return sum === undefined || sum === createHash('sha256').update(body).digest('base64') ? null : [400, 'BadDigest']
  }

  #list({ searchParams }: URL, response: ServerResponse): void {
    const prefix = searchParams.get('prefix') ?? ''
    const after = searchParams.get('continuation-token') ?? ''
    const most = Number(searchParams.get('max-keys'))
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const listed = keys.slice(0, most).map((key) => {
      const { bytes, at } = this.objects.get(key) as StoredObject
      return `<Contents><Key>${key}</Key><LastModified>${new Date(at).toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
    })
    const more = keys.length > most ? `<NextContinuationToken>${keys[most - 1]}</NextContinuationToken>` : ''
    const isMore = `<IsTruncated>${more !== ''}</IsTruncated>`
    xml(response, `<ListBucketResult><Name>quarry</Name>${isMore}${more}${listed.join('')}</ListBucketResult>`)
  }

  #write(key: string, { searchParams }: URL, body: Buffer, response: ServerResponse): void {
    const id = searchParams.get('uploadId')
    if (searchParams.has('uploads')) {
      const begun = randomUUID()
      this.#uploads.set(begun, new Map())
      xml(response, `<InitiateMultipartUploadResult><UploadId>${begun}</UploadId></InitiateMultipartUploadResult>`)
    } else if (id === null) {
      this.objects.set(key, { bytes: body, at: Date.now() })
      response.setHeader('etag', etagOf(body)).end()
    } else if (searchParams.has('partNumber')) {
      this.#uploads.get(id)?.set(Number(searchParams.get('partNumber')), body)
      response.setHeader('etag', etagOf(body)).end()
    } else {
      const numbers = Array.from(body.toString().matchAll(/<PartNumber>(\d+)</g), ([, number]) => Number(number))
      const bytes = Buffer.concat(numbers.map((number) => this.#uploads.get(id)?.get(number) as Buffer))
      this.#uploads.delete(id)
      this.objects.set(key, { bytes, at: Date.now() })
      xml(response, `<CompleteMultipartUploadResult><ETag>${etagOf(bytes)}</ETag></CompleteMultipartUploadResult>`)
    }
  }

  #delete(key: string, { searchParams }: URL, response: ServerResponse): void {
    const id = searchParams.get('uploadId')
    if (id === null) this.objects.delete(key)
    else this.#uploads.delete(id)
    response.writeHead(204).end()
  }

  #read(key: string, { headers, method }: IncomingMessage, response: ServerResponse): void {
    const object = this.objects.get(key)
    if (object === undefined) {
      fail(response, 404, 'NoSuchKey')
      return
    }
    const { length } = object.bytes
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
    const [first, last] = [Number(from), Math.min(length, to === '' ? length : Number(to) + 1)]
    response.statusCode = headers.range === undefined ? 200 : 206
    response.setHeader('last-modified', new Date(object.at).toUTCString())
    response.setHeader('content-length', last - first)
    response.end(method === 'HEAD' ? '' : object.bytes.subarray(first, last))
  }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}

function xml(response: ServerResponse, text: string): void {
  response.setHeader('content-type', 'application/xml').end(`<?xml version="1.0"?>${text}`)
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status
  xml(
    response,
    `<Error><Code>${code}</Code><Message>refused</Message><AWSAccessKeyId>${S3_KEY.keyId}</AWSAccessKeyId></Error>`,
  )
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Source: AWS, Signature Version 4, "Create a signed AWS API request". */
function isSigned({ method, headers }: IncomingMessage, url: URL): boolean {
  const found =
    /^AWS4-HMAC-SHA256 Credential=(.+?)\/(\d{8})\/(.+?)\/s3\/aws4_request, SignedHeaders=(.+?), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  if (found === null) return false
  const [, keyId, day = '', region, signed = '', signature] = found
  if (keyId !== S3_KEY.keyId || region !== S3_KEY.region) return false
  const query = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '')
    .sort()
    .join('&')
  const names = signed.split(';')
  if (!names.includes('host') || !names.includes('x-amz-date')) return false
  const canonical = [
    method,
    url.pathname,
    query,
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${scope}\n${digest}`
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${S3_KEY.secret}`, day), String(region)))
  return hmac(key, text).toString('hex') === signature
}
