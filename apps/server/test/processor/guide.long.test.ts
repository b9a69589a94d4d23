import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EVENT_REASONS } from '@tributary/contract'
import Stripe from 'stripe'
import { EVENT_TYPES } from '../../src/processor/stripe/translate.ts'
import { afterwards, cleanUp, givenDataDir, givenService, ROOT } from '../lifecycle/given-service.ts'
import { runCommand, runProcess } from '../lifecycle/run-command.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { isLongRun } from '../support/size.ts'
import { startStandIn } from './stand-in.ts'
import { stripePayment } from './stripe-events.ts'

afterAll(cleanUp)

const GUIDE = readFileSync(join(ROOT, 'docs/guides/connect-the-processor.md'), 'utf8')
const standIn = startStandIn()

const blocks = [...GUIDE.matchAll(/^```(sh|json|js)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}))
const shown = blocks.flatMap(({ language, text }, index) => {
  const next = blocks[index + 1]
  return language === 'sh' ? [{ commands: text, answer: next?.language === 'json' ? next.text : null }] : []
})

/** Runs all commands in one shell, as a reader types them, each with its output in a separate file. */
const run = async (baseUrl: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-processor-guide-'))
  afterwards(() => rmSync(folder, { recursive: true, force: true }))
  const script = shown.map(({ commands }, index) => `{\n${commands}\n} > "${folder}/${index}"`).join('\n')
  const env = { PATH: process.env.PATH, TMPDIR: folder, BASE_URL: baseUrl }
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', script], { env, stdout: 'ignore', stderr: 'pipe' })
  const complaints = await new Response(shell.stderr).text()
  expect({ exitCode: await shell.exited, complaints }).toEqual({ exitCode: 0, complaints: '' })
  return shown.map((_, index) => readFileSync(join(folder, String(index)), 'utf8'))
}

/** `…` matches anything. */
const asShown = (value: unknown): unknown => {
  if (typeof value === 'string' && value.includes('…'))
    return expect.stringMatching(new RegExp(`^${value.split('…').map(RegExp.escape).join('.+')}$`))
  if (Array.isArray(value)) return value.map(asShown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asShown(inner)]))
}

const ENV = { DATA_DIR: givenDataDir(), DATABASE_URL: await createTestDatabase() }
const service = await givenService({ env: { ...ENV, LOG_LEVEL: 'error' } })
const outputs = await run(`http://localhost:${service.port}`)

describe('docs/guides/connect-the-processor.md', () => {
  for (const [index, { commands, answer }] of shown.entries())
    test(`block ${index + 1}: ${commands.split('\n')[0]}`, () => {
      if (answer === null) expect(outputs[index]).toBe('')
      else expect(JSON.parse(outputs[index] ?? '')).toEqual(asShown(JSON.parse(answer)))
    })

  test('shows checkouts that carry the three keys where they are read', async () => {
    const code = blocks.filter(({ language }) => language === 'js').map(({ text }) => text)
    expect(code).toHaveLength(4)
    const AsyncFunction = (async () => {}).constructor as new (
      ...names: string[]
    ) => (...values: unknown[]) => Promise<void>
    const checkout = new AsyncFunction('stripe', 'programId', 'user', 'cookies', code.join('\n'))
    await checkout(
      new Stripe('sk_test_shop', { host: 'localhost', port: new URL(standIn.url).port, protocol: 'http' }),
      7,
      { id: 'user_42' },
      { service_click_id: 'click_1' },
    )
    const sent = standIn.seen.map(({ path, form }) => ({ path, ...Object.fromEntries(form) }))
    const keys = (under: string) => ({
      [`${under}[program_id]`]: '7',
      [`${under}[service_customer_key]`]: 'user_42',
      [`${under}[service_click_id]`]: 'click_1',
    })
    expect(sent).toMatchObject([
      { path: '/v1/checkout/sessions', mode: 'payment', ...keys('metadata') },
      {
        path: '/v1/checkout/sessions',
        mode: 'subscription',
        ...keys('metadata'),
        ...keys('subscription_data[metadata]'),
      },
      { path: '/v1/payment_intents', ...keys('metadata') },
    ])
  })

  test('names every event to subscribe to and every reason that can be read', () => {
    const renamed = ['invoice.payment_succeeded', 'charge.refund.updated']
    for (const type of EVENT_TYPES.filter((name) => !renamed.includes(name))) expect(GUIDE).toContain(type)
    for (const [code, sentence] of Object.entries(EVENT_REASONS)) {
      expect(GUIDE).toContain(`\`${code}\``)
      if (code !== 'account_not_connected') expect(GUIDE).toContain(sentence)
    }
  })
})

describe('the commands of the guide', () => {
  const command = (name: 'replay' | 'reconcile', args: string[], env: Record<string, string> = {}) =>
    runCommand(`processor:${name}`, { ...ENV, ...env }, ...args)
  const program = /"webhookUrl":".*?\/(\d+)"/.exec(outputs[1] ?? '')?.[1] ?? ''

  test('processor:reconcile fetches missing events, processor:replay applies them again, and both print counts', async () => {
    const created = Math.floor(Date.now() / 1000)
    const metadata = { program_id: program, service_customer_key: 'user_42' }
    standIn.hold(stripePayment({ metadata, created }).completed(), stripePayment({ metadata, created }).invoicePaid())
    const env = { STRIPE_API_KEY: 'rk_live_1', STRIPE_API_BASE: standIn.url }
    const reconciled = await runProcess('processor:reconcile', { ...ENV, ...env }, '--program', program, '--days', '7')
    expect(reconciled).toMatchObject({
      code: 0,
      stderr: '',
      stdout: '2 events listed so far, 2 recovered\n2 events listed, 0 already received, 2 recovered\n',
    })
    const replayed = await runProcess('processor:replay', ENV, '--program', program, '--since', '2026-01-01')
    expect(replayed).toMatchObject({ code: 0, stderr: '', stdout: '3 of 3 events, 0 changed\n' })
    const dry = await command('replay', ['--program', program, '--since', '2026-01-01', '--dry-run'])
    expect(dry.stdout).toBe('3 of 3 events, 0 changed\nDry run: nothing was changed.\n')
  })

  type Mistake = [name: 'replay' | 'reconcile', args: string[], sentence: RegExp]
  const SOME_MISTAKES: Mistake[] = [
    ['replay', ['--program', '1'], /--since must be a date/],
    // reconcile has no dry run: a caller who asks for one must not get a real run.
    ['reconcile', ['--program', '1', '--dry-run'], /'--dry-run'.*npm run tributary -- processor:reconcile/],
    ['reconcile', ['--program', '987654'], /not connected/],
  ]
  const OTHER_MISTAKES: Mistake[] = [
    ['replay', [], /--program must be a program ID/],
    ['replay', ['--program', '987654', '--since', '2026-01-01'], /Program 987654 does not exist/],
    ['reconcile', ['--program', '1', '--days', '99'], /--days must be from 1 to 30/],
    ['reconcile', ['--program', '1', '--dayz', '9'], /'--dayz'.*npm run tributary -- processor:reconcile/],
    ['reconcile', ['--program', '1', '--since', '2026-01-01'], /'--since'.*npm run tributary -- processor:reconcile/],
    ['replay', ['--program', '1', '--days', '7'], /'--days'.*npm run tributary -- processor:replay/],
    ['replay', ['--program', '1', '--since', '2026-01-01', 'now'], /'now'.*npm run tributary -- processor:replay/],
    ['replay', ['--program', '1', '--since', '2026-02-30'], /--since must be a date/],
    ['replay', ['--program', '1', '--since'], /'--since <value>'.*npm run tributary -- processor:replay/],
  ]
  test.each([
    ...SOME_MISTAKES,
    ...(isLongRun ? OTHER_MISTAKES : []),
  ])('processor:%s %j reports the missing part in one sentence', async (name, args, sentence) => {
    const { code, stderr } = await command(name, args)
    expect(code).toBe(1)
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('a folder without a service gets an error and no secrets', async () => {
    const nowhere = givenDataDir()
    const elsewhere = { DATA_DIR: nowhere, DATABASE_URL: '' }
    const { code, stderr } = await command('replay', ['--program', '1', '--since', '2026-01-01'], elsewhere)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/has no Tributary instance/) })
  })
})
