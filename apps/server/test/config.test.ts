import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, SECRET_SETTINGS } from '../src/config/config.ts'
import { StartupError } from '../src/config/startup-error.ts'

describe('the environment', () => {
  test('may be empty: every setting has a default', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '0.0.0.0',
      baseUrl: 'http://localhost:3000',
      portalUrl: 'http://localhost:3000',
      dataDir: `${process.cwd()}/data`,
      givenSecrets: null,
      databaseUrl: null,
      databaseOwnerUrl: null,
      databaseReadUrl: null,
      openSignup: false,
      checkAnswers: false,
      trustedProxies: [],
      geoipDatabase: null,
      asnDatabase: null,
      rateLimits: true,
      demo: true,
      logLevel: 'info',
      cell: '',
      node: hostname(),
      stripe: {
        secretKey: null,
        clientId: null,
        webhookSecret: null,
        apiKey: null,
        apiBase: 'https://api.stripe.com',
        connectBase: 'https://connect.stripe.com',
      },
      mail: null,
      webhookAllowHosts: [],
      oidc: null,
      backup: { key: null, s3: null, archiveDir: null, archiveDays: 7 },
      tracesEndpoint: null,
      workers: 1,
      retentionDays: null,
    })
  })

  test('may contain empty strings, which mean unset, as compose files write them', () => {
    const names = ['PORT', 'HOST', 'BASE_URL', 'DATA_DIR', 'DATABASE_URL', 'OPEN_SIGNUP', 'TRUSTED_PROXIES']
    const more = [
      'DATABASE_OWNER_URL',
      'DATABASE_READ_URL',
      'ASN_DATABASE',
      'GEOIP_DATABASE',
      'RATE_LIMITS',
      'DEMO',
      'LOG_LEVEL',
      'NODE_NAME',
      'CELL',
      'WORKERS',
      'RETENTION_DAYS',
      'SMTP_URL',
      'MAIL_FROM',
      'WEBHOOK_ALLOW_HOSTS',
      'OIDC_ISSUER',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_NAME',
      'OIDC_ALLOWED_DOMAINS',
    ]
    expect(readConfig(Object.fromEntries([...names, ...more].map((name) => [name, ''])))).toEqual(readConfig({}))
  })

  test('overrides the defaults', () => {
    const config = readConfig({
      PORT: '8080',
      HOST: '::1',
      BASE_URL: 'https://track.example.com/',
      PORTAL_URL: 'https://partners.example.com/',
      DATA_DIR: '/srv/tributary',
      DATABASE_URL: 'postgresql://app:pw@db/tributary?sslmode=require',
      DATABASE_OWNER_URL: 'postgresql://owner:pw@db/tributary',
      DATABASE_READ_URL: 'postgresql://app:pw@replica/tributary',
      OPEN_SIGNUP: 'true',
      TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32,127.0.0.1',
      GEOIP_DATABASE: import.meta.path,
      ASN_DATABASE: import.meta.path,
      RATE_LIMITS: 'off',
      DEMO: 'false',
      LOG_LEVEL: 'warn',
      NODE_NAME: 'berlin-1',
      CELL: 'eu1',
      STRIPE_SECRET_KEY: 'sk_test_51',
      STRIPE_CLIENT_ID: 'ca_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      STRIPE_API_KEY: 'rk_live_2',
      STRIPE_API_BASE: 'http://localhost:4242',
      STRIPE_CONNECT_BASE: 'http://localhost:4242',
      SMTP_URL: 'smtps://mailer:p%40ss@mail.example.com:465',
      MAIL_FROM: 'Acme Partners <partners@example.com>',
      WEBHOOK_ALLOW_HOSTS: '127.0.0.1, fd00::/8',
      WORKERS: '4',
      RETENTION_DAYS: '400',
      BACKUP_KEY: 'k0123456789abcdefghijklmnopqrstuv',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_REGION: 'eu-central-1',
    })
    expect(config).toEqual({
      port: 8080,
      host: '::1',
      baseUrl: 'https://track.example.com',
      portalUrl: 'https://partners.example.com',
      dataDir: '/srv/tributary',
      databaseUrl: 'postgresql://app:pw@db/tributary?sslmode=require',
      givenSecrets: null,
      databaseOwnerUrl: 'postgresql://owner:pw@db/tributary',
      databaseReadUrl: 'postgresql://app:pw@replica/tributary',
      openSignup: true,
      checkAnswers: false,
      trustedProxies: ['10.0.0.0/8', '2001:db8::/32', '127.0.0.1'],
      geoipDatabase: import.meta.path,
      asnDatabase: import.meta.path,
      rateLimits: false,
      demo: false,
      logLevel: 'warn',
      node: 'berlin-1',
      cell: 'eu1',
      stripe: {
        secretKey: 'sk_test_51',
        clientId: 'ca_1',
        webhookSecret: 'whsec_1',
        apiKey: 'rk_live_2',
        apiBase: 'http://localhost:4242',
        connectBase: 'http://localhost:4242',
      },
      webhookAllowHosts: ['127.0.0.1', 'fd00::/8'],
      oidc: null,
      mail: {
        smtpUrl: 'smtps://mailer:p%40ss@mail.example.com:465',
        from: 'Acme Partners <partners@example.com>',
      },
      backup: {
        key: 'k0123456789abcdefghijklmnopqrstuv',
        s3: {
          accessKeyId: 'id',
          secretAccessKey: 'secret',
          region: 'eu-central-1',
          endpoint: 'https://s3.eu-central-1.amazonaws.com',
        },
        archiveDir: null,
        archiveDays: 7,
      },
      tracesEndpoint: null,
      workers: 4,
      retentionDays: 400,
    })
  })

  test('sets the port of the default public address', () => {
    expect(readConfig({ PORT: '4000' }).baseUrl).toBe('http://localhost:4000')
    expect(readConfig({ PORT: '0' }).port).toBe(0)
  })

  test.each([
    ['https://track.example.com', 'Tributary <no-reply@track.example.com>'],
    ['http://localhost:3000', 'Tributary <no-reply@localhost>'],
    ['http://192.0.2.7', 'Tributary <no-reply@localhost>'],
    ['http://[2001:db8::1]:80', 'Tributary <no-reply@localhost>'],
  ])('mail from %s is sent from %s unless MAIL_FROM is set', (baseUrl, from) => {
    const mail = (more: object = {}) => readConfig({ BASE_URL: baseUrl, SMTP_URL: 'smtp://mail', ...more }).mail
    expect(mail()).toEqual({ smtpUrl: 'smtp://mail', from })
    expect(mail({ MAIL_FROM: 'a@b.example' })?.from).toBe('a@b.example')
  })

  test.each([
    'postgres://u:p@/app?host=/run/postgresql',
    'postgres:///app?host=/run/postgresql',
  ])('may name a database on a Unix socket: %s', (url) =>
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url))
})

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-config-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const givenFile = (text: string) => {
    const file = join(folder, crypto.randomUUID())
    writeFileSync(file, text)
    return file
  }

  test('works for every secret setting, with and without a final line break', () => {
    const values = {
      DATABASE_URL: 'postgres://app:pw@db/tributary',
      DATABASE_OWNER_URL: 'postgres://owner:pw@db/tributary',
      DATABASE_READ_URL: 'postgres://app:pw@replica/tributary',
      SESSION_SECRET: 'abcdefghij'.repeat(4),
      HASH_KEY: 'klmnopqrst'.repeat(4),
      SMTP_URL: 'smtps://mailer:pw@mail.example.com:465',
      STRIPE_SECRET_KEY: 'sk_test_51',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      STRIPE_API_KEY: 'rk_live_2',
      OIDC_CLIENT_SECRET: 'secret',
      BACKUP_KEY: 'k0123456789abcdefghijklmnopqrstuv',
      S3_SECRET_ACCESS_KEY: 'secret',
    }
    expect(Object.keys(values)).toEqual([...SECRET_SETTINGS])
    const others = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'tributary', S3_ACCESS_KEY_ID: 'id' }
    const files = Object.entries(values).map(([name, value], index) => [
      `${name}_FILE`,
      givenFile(index % 2 ? value : `${value}\n`),
    ])
    expect(readConfig({ ...others, ...Object.fromEntries(files) })).toEqual(readConfig({ ...others, ...values }))
  })

  test('is listed with its key in the Helm chart', async () => {
    const values = await Bun.file(join(import.meta.dir, '../../../deploy/helm/tributary/values.yaml')).text()
    const listed = /Known keys: (.*?)\.\n/s
      .exec(values)?.[1]
      ?.replace(/\s*#\s*/g, ' ')
      .split(', ')
    expect(listed).toEqual(SECRET_SETTINGS.map((name) => name.toLowerCase().replaceAll('_', '-')))
  })

  test('that cannot be used stops the start with one sentence', () => {
    const SMTP_URL = 'smtp://mail.example.com'
    for (const [env, sentence] of [
      [{ SMTP_URL_FILE: '/nowhere/smtp' }, /^SMTP_URL_FILE points to a file that cannot be read \(ENOENT\)/],
      [{ SMTP_URL_FILE: givenFile(' \n') }, /^SMTP_URL_FILE points to an empty file/],
      [{ SMTP_URL, SMTP_URL_FILE: givenFile(SMTP_URL) }, /^SMTP_URL and SMTP_URL_FILE are both set/],
      [{ SESSION_SECRET: 'abcdefghij'.repeat(4) }, /^HASH_KEY must be at least 32 random characters/],
      [{ SESSION_SECRET: 'x'.repeat(40), HASH_KEY: 'klmnopqrst'.repeat(4) }, /^SESSION_SECRET must be/],
    ] as const) {
      expect(() => readConfig(env)).toThrow(StartupError)
      expect(() => readConfig(env)).toThrow(sentence)
    }
  })
})

describe('an invalid value stops the start with one sentence', () => {
  test.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['HOST', 'http://localhost'],
    ['HOST', 'a b'],
    ['BASE_URL', 'track.example.com'],
    ['STRIPE_API_BASE', 'api.stripe.com'],
    ['STRIPE_SECRET_KEY', 'pk_live_51'],
    ['STRIPE_CLIENT_ID', 'sk_live_51'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_changeme'],
    ['BASE_URL', 'ftp://track.example.com'],
    ['BASE_URL', 'https://track.example.com/?a=b'],
    ['BASE_URL', 'https://example.com/tributary'],
    ['BASE_URL', 'https://user@track.example.com'],
    ['BASE_URL', 'https://:secret@track.example.com'],
    ['DATABASE_URL', 'mysql://db/app'],
    ['DATABASE_URL', 'db:5432'],
    ['DATABASE_URL', 'postgres://db:port/app'],
    ['DATABASE_URL', 'postgres://one:5432,two:port/app'],
    ['DATABASE_URL', 'postgres://one,two/app?target_session_attrs=any'],
    ['OPEN_SIGNUP', 'yes'],
    ['TRUSTED_PROXIES', 'nginx'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.1, 2001:db8::/129'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['GEOIP_DATABASE', '/nowhere/cities.mmdb'],
    ['ASN_DATABASE', '/nowhere/networks.mmdb'],
    ['RATE_LIMITS', 'false'],
    ['DEMO', 'off'],
    ['LOG_LEVEL', 'loud'],
    ['CELL', 'EU'],
    ['CELL', '1eu'],
    ['CELL', 'eu-1'],
    ['CELL', 'ninechars'],
    ['WORKERS', '0'],
    ['WORKERS', '17'],
    ['WORKERS', 'auto'],
    ['RETENTION_DAYS', '0'],
    ['RETENTION_DAYS', '1y'],
    ['SMTP_URL', 'mail.example.com:587'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://user:100%@mail.example.com'],
    ['SMTP_URL', 'smtp://:password@mail.example.com'],
    ['SMTP_URL', 'smtp://mail.example.com/path'],
    ['SMTP_URL', 'smtp://mail.example.com?socketTimeout=0'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'Acme no-reply@example.com'],
    ['MAIL_FROM', 'Acme <no-reply@example.com>, b@example.com'],
    ['MAIL_FROM', 'Acme <a@example.com>\r\nBcc: b@example.com'],
  ])('%s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(StartupError)
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} [^\n]+\\.$`))
  })

  test.each([
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['STRIPE_SECRET', 'STRIPE_SECRET_KEY'],
    ['OPEN_SIGN_UP', 'OPEN_SIGNUP'],
  ])('%s, even if empty, because %s is meant', (name, meant) => {
    expect(() => readConfig({ [name]: '' })).toThrow(
      new StartupError(`${name} is not a setting. Did you mean ${meant}?`),
    )
  })

  test("but not other programs' variables", () => {
    const others = ['HOME', 'HOSTNAME', 'DATABASE_USER', 'SMTP_USER', 'XDG_DATA_DIRS', 'NODE_ENV', 'STRIPE_API_VERSION']
    const ofCompose = ['COMPOSE_PROFILES', 'DOMAIN', 'LISTEN', 'POSTGRES_PASSWORD', 'TRIBUTARY_IMAGE']
    expect(readConfig(Object.fromEntries([...others, ...ofCompose].map((name) => [name, 'x'])))).toEqual(readConfig({}))
    expect(() => readConfig({ ...process.env, PORT: '' })).not.toThrow()
  })

  test('and never prints a password', () => {
    expect(() => readConfig({ SMTP_URL: 'http://app:hunter2@mail' })).toThrow(/^(?!.*hunter2)/)
    expect(() => readConfig({ DATABASE_URL: 'mysql://app:hunter2@db/app' })).toThrow(/^(?!.*hunter2)/)
  })
})
