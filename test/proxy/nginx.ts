import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { findProgram, freePort, makeCertificate } from '../support/programs.ts'

/** A running nginx that speaks TLS on the loopback interface, with a certificate that nobody else trusts. */
export interface NginxProxy {
  /** With the prefix, without a slash at the end. */
  readonly url: string
  readonly certificate: string
  close(): Promise<void>
}

/** Why there can be no proxy here; null when there can. */
export function reasonAgainstNginx(): string | null {
  if (findProgram('nginx') === null) return 'nginx is not installed'
  return findProgram('openssl') === null ? 'openssl is not installed' : null
}

/** Starts nginx with the block that the documentation gives, but for ports and files, before a server on a port. */
export async function startNginx(serverPort: number): Promise<NginxProxy> {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-nginx-'))
  const port = await freePort()
  const files = makeCertificate(directory, 'IP:127.0.0.1')
  const block = documentedBlock()
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace(/ssl_certificate .*?;/, `ssl_certificate ${files.certificate};`)
    .replace(/ssl_certificate_key .*?;/, `ssl_certificate_key ${files.key};`)
    .replace('http://127.0.0.1:3000/', `http://127.0.0.1:${serverPort}/`)
  writeFileSync(join(directory, 'nginx.conf'), configuration(directory, block))
  const nginx = spawn(findProgram('nginx') ?? '', ['-p', directory, '-c', 'nginx.conf', '-e', 'stderr'])
  let errors = ''
  nginx.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  await listening(nginx, port, () => errors)
  return {
    url: `https://127.0.0.1:${port}/quarry`,
    certificate: readFileSync(files.certificate, 'utf8'),
    async close() {
      const ended = once(nginx, 'exit')
      nginx.kill('SIGTERM')
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The words of the how-to: what people copy is what is tried. */
export function documentedBlock(): string {
  const page = readFileSync(new URL('../../docs/how-to/run-it-for-a-lab.md', import.meta.url), 'utf8')
  const block = /```nginx\n([\s\S]*?)```/.exec(page)?.[1]
  if (block === undefined) throw new Error('the how-to has no block for nginx')
  return block
}

/** In the foreground, as anybody, with nothing outside of the directory. */
function configuration(directory: string, block: string): string {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${directory}/${one};`,
  )
  return `daemon off;
master_process off;
pid ${directory}/nginx.pid;
events {}
http {
  access_log off;
  ${places.join('\n  ')}
  ${block}
}
`
}

/** Waits for the first connection that is taken, or for the end of the program. */
async function listening(nginx: ChildProcess, port: number, errors: () => string): Promise<void> {
  for (;;) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended: ${errors()}`)
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
    const isTaken = await Promise.race([
      once(socket, 'secureConnect').then(
        () => true,
        () => false,
      ),
      once(nginx, 'exit').then(() => false),
    ])
    socket.destroy()
    if (isTaken) return
  }
}
