import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'

/** A port of the loopback interface that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}

/** Where nginx is on Debian is not in everybody's path. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A certificate that nobody else trusts, for one name as openssl has it: `IP:127.0.0.1`, `DNS:lab.example`. */
export function makeCertificate(
  directory: string,
  name: string,
): { readonly certificate: string; readonly key: string } {
  const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')]
  const subject = ['-subj', '/CN=lab.example', '-addext', `subjectAltName=${name}`]
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-out', certificate, '-keyout', key]
  execFileSync('openssl', ['req', ...made, ...subject], { stdio: 'pipe' })
  return { certificate, key }
}
