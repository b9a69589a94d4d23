import { afterEach, describe, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { givenDatabase } from './given-postgres.ts'
import { afterwards, cleanUp, freePort, givenDataDir, givenService, killIfAlive, ROOT, until } from './given-service.ts'

afterEach(cleanUp)

const GUIDE = readFileSync(join(ROOT, 'docs/guides/production.md'), 'utf8')

/** Configurations as the guide shows them: for one node, then for several. */
const blocksOf = (language: string) =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text)

const givenInstance = async (env: Record<string, string>) =>
  givenService({ env: { DATA_DIR: givenDataDir(), DATABASE_URL: await givenDatabase(), ...env } })

const nginx = Bun.which('nginx') ?? Bun.which('/usr/sbin/nginx')
const caddy = Bun.which(process.env.CADDY ?? 'caddy')

const run = (command: string, ...args: string[]) => {
  const child = spawn(command, args, { stdio: 'ignore' })
  afterwards(() => killIfAlive(Number(child.pid)))
}

/** nginx as the guide configures it for one or two nodes, with its own port and certificate. */
const givenNginx = async (...ports: number[]) => {
  const folder = givenDataDir()
  const port = freePort()
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=track.example.com', '-days', '2']
  spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    certificate,
    ...subject,
  ])
  const [one = '', several = ''] = blocksOf('nginx')
  const upstream = ports.length > 1 ? several.replace(/10\.0\.0\.\d:3000/g, () => `127.0.0.1:${ports.shift()}`) : ''
  const server = one
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/ssl_certificate .*/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${key};`)
    .replaceAll('127.0.0.1:3000', upstream ? 'tributary' : `127.0.0.1:${ports[0]}`)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  const main = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;`
  writeFileSync(file, `${main}\nevents {}\nhttp {\naccess_log off;\n${paths}\n${upstream}\n${server}\n}\n`)
  const check = spawnSync(nginx ?? '', ['-t', '-c', file], { encoding: 'utf8' })
  expect([check.status, check.stderr]).toEqual([0, expect.stringContaining('test is successful')])
  run(nginx ?? '', '-c', file)
  const call = (path: string, method = 'GET') =>
    fetch(`https://127.0.0.1:${port}${path}`, { method, tls: { rejectUnauthorized: false } })
  await until(() =>
    call('/healthz').then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return call
}

/** Answers every request with this status, as a node that is ready (200) or starting (503). */
const givenNode = (status: number) => {
  const node = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(null, { status }) })
  afterwards(() => void node.stop(true))
  return Number(node.port)
}

describe('the production guide', () => {
  test.skipIf(!nginx || !Bun.which('openssl'))(
    'serves https through its nginx configuration, and warns while the settings do not fit (skipped without nginx)',
    async () => {
      const service = await givenInstance({ HOST: '127.0.0.1' })
      const get = await givenNginx(service.port)
      expect((await get('/metrics')).status).toBe(404)
      await get('/healthz')
      await until(() => service.complaints().includes('BASE_URL'))
      const warnings = service.complaints().trim().split('\n')
      expect(warnings.filter((line) => line.startsWith('X-Forwarded-For arrived from 127.0.0.1'))).toHaveLength(1)
      expect(warnings.filter((line) => line.includes('Set BASE_URL to the https address'))).toHaveLength(1)

      const fitting = await givenInstance({ TRUSTED_PROXIES: '127.0.0.1', BASE_URL: 'https://track.example.com' })
      const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
      await fetch(`http://127.0.0.1:${fitting.port}/healthz`, { headers })
      expect(fitting.complaints()).not.toContain('X-Forwarded-For')
      expect(fitting.complaints()).not.toContain('https address')
    },
  )

  test.skipIf(!nginx || !Bun.which('openssl'))(
    'passes what can be repeated to the other node while one is starting (skipped without nginx)',
    async () => {
      const call = await givenNginx(givenNode(200), givenNode(503))
      const statusesOf = async (path: string, method: string) => {
        const statuses = new Set<number>()
        for (let count = 0; count < 6; count++) statuses.add((await call(path, method)).status)
        return [...statuses].toSorted()
      }
      for (const name of ['click', 'lead', 'sale'])
        expect(await statusesOf(`/api/v1/track/${name}`, 'POST')).toEqual([200])
      expect(await statusesOf('/api/v1/events', 'GET')).toEqual([200])
      await until(async () => (await call('/api/v1/track/refund', 'POST')).status === 503)
    },
  )

  test.skipIf(!caddy)('has Caddyfiles that Caddy accepts (skipped without Caddy)', () => {
    expect(blocksOf('caddyfile')).toHaveLength(2)
    for (const text of blocksOf('caddyfile')) validateWithCaddy(text)
  })
})

const validateWithCaddy = (text: string) => {
  const file = join(givenDataDir(), 'Caddyfile')
  writeFileSync(file, text)
  const { status, stderr } = spawnSync(caddy ?? '', ['validate', '--adapter', 'caddyfile', '--config', file], {
    encoding: 'utf8',
    env: { ...process.env, HOME: givenDataDir() },
  })
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('"level":"error"')])
}
