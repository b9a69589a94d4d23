import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'tributary-https-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A receiver whose certificate is its own authority, for one name. */
const givenHttpsReceiver = (name: string) => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  spawnSync('openssl', ['req', ...kind, '-keyout', key, '-out', cert, ...subject])
  const received: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { key: Bun.file(key), cert: Bun.file(cert) },
    fetch: async (request) => {
      received.push(await request.text())
      return new Response(null, { status: 204 })
    },
  })
  afterAll(() => server.stop(true))
  return { cert, received, urlOf: (host: string) => `https://${host}:${server.port}/hooks` }
}

const postTo = async (urls: string[], env: Record<string, string> = {}) => {
  const program = join(import.meta.dir, 'post-over-https.ts')
  const child = Bun.spawn([process.execPath, program, ...urls], { env: { PATH: process.env.PATH, ...env } })
  return JSON.parse(await new Response(child.stdout).text())
}

test.skipIf(!Bun.which('openssl'))(
  'over https, a delivery reaches only a receiver whose certificate is trusted and valid for its name',
  async () => {
    const { cert, received, urlOf } = givenHttpsReceiver('hooks.example.com')
    const refused = { status: null, error: 'tls_failed' }
    const urls = [urlOf('hooks.example.com'), urlOf('other.example.com'), urlOf('127.0.0.1')]
    expect(await postTo(urls)).toMatchObject([refused, refused, refused])
    expect(received).toEqual([])
    const trusted = await postTo(urls, { NODE_EXTRA_CA_CERTS: cert })
    expect(trusted).toMatchObject([{ status: 204, error: null }, refused, refused])
    expect(received).toEqual(['signed'])
  },
)
