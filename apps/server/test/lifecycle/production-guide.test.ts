import { afterEach, describe, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { givenDatabase } from './given-postgres.ts'
import { afterwards, cleanUp, freePort, givenDataDir, givenService, killIfAlive, ROOT, until } from './given-service.ts'

afterEach(cleanUp)

const GUIDE = readFileSync(join(ROOT, 'docs/guides/production.md'), 'utf8')

/** A configuration as the guide shows it. */
const blockOf = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(GUIDE)?.[1] ?? `no ${language} in the guide`

const givenInstance = async (env: Record<string, string>) =>
  givenService({ env: { DATA_DIR: givenDataDir(), DATABASE_URL: await givenDatabase(), ...env } })

const nginx = Bun.which('nginx') ?? Bun.which('/usr/sbin/nginx')
const caddy = Bun.which(process.env.CADDY ?? 'caddy')

const run = (command: string, ...args: string[]) => {
  const child = spawn(command, args, { stdio: 'ignore' })
  afterwards(() => killIfAlive(Number(child.pid)))
}

/** nginx as the guide configures it, with its own port and certificate. */
const givenNginx = (servicePort: number) => {
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
  const server = blockOf('nginx')
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/ssl_certificate .*/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${key};`)
    .replace(':3000', `:${servicePort}`)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  const main = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;`
  writeFileSync(file, `${main}\nevents {}\nhttp {\naccess_log off;\n${paths}\n${server}\n}\n`)
  return { file, port }
}

describe('the production guide', () => {
  test.skipIf(!nginx || !Bun.which('openssl'))(
    'serves https through its nginx configuration, and warns while the settings do not fit (skipped without nginx)',
    async () => {
      const service = await givenInstance({ HOST: '127.0.0.1' })
      const { file, port } = givenNginx(service.port)
      const check = spawnSync(nginx ?? '', ['-t', '-c', file], { encoding: 'utf8' })
      expect([check.status, check.stderr]).toEqual([0, expect.stringContaining('test is successful')])
      run(nginx ?? '', '-c', file)
      const get = (path: string) => fetch(`https://127.0.0.1:${port}${path}`, { tls: { rejectUnauthorized: false } })
      await until(() =>
        get('/healthz').then(
          ({ ok }) => ok,
          () => false,
        ),
      )
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

  test.skipIf(!caddy)('has a Caddyfile that Caddy accepts (skipped without Caddy)', () => {
    const file = join(givenDataDir(), 'Caddyfile')
    writeFileSync(file, blockOf('caddyfile'))
    const { status, stderr } = spawnSync(caddy ?? '', ['validate', '--adapter', 'caddyfile', '--config', file], {
      encoding: 'utf8',
      env: { ...process.env, HOME: givenDataDir() },
    })
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('"level":"error"')])
  })
})
