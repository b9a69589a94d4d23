import { afterAll, expect, test } from 'bun:test'
import { connect, createServer, type Socket } from 'node:net'
import { verifyWebhook } from '@tributary/sdk'
import { command, listen } from '../../src/commands/listen/listen.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { beginEpoch } from '../../src/outbox/epochs.ts'
import { freePort, until } from '../lifecycle/given-service.ts'
import { unique } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { isLongRun } from '../support/size.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' } }
const TIMING = { firstRetryMs: 20, maxRetryMs: 200, idleMs: 60_000 }

/** Between the service and the listener, so that their connection can be cut for a while. */
const givenCuttableConnection = () => {
  const port = freePort()
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(service.url).port), '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    if (isCut) return client.destroy()
    client.pipe(upstream).pipe(client)
  }).listen(port, '127.0.0.1')
  afterAll(() => server.close())
  return {
    url: `http://127.0.0.1:${port}`,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    restore: () => {
      isCut = false
    },
  }
}

/** A developer's receiver: it accepts correctly signed events only. */
const givenReceiver = (secret: () => string) => {
  const received: { id: string; sequence: number; type: string }[] = []
  const receiver = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const { id, sequence, type } = verifyWebhook(await request.text(), request.headers, secret())
      received.push({ id, sequence, type })
      return new Response(null, { status: type === 'lead.created' ? 500 : 204 })
    },
  })
  afterAll(() => receiver.stop(true))
  return { received, forwardTo: `${receiver.url}hooks` }
}

const eventsOf = async ({ key }: PayingProgram) => {
  const { body } = await service.call('GET', '/api/v1/events?limit=1000', undefined, { authorization: `Bearer ${key}` })
  return body.data.map(({ id, sequence, type }: { id: string; sequence: number; type: string }) => ({
    id,
    sequence,
    type,
  }))
}

const sell = async (program: PayingProgram, customer_key: string) => {
  const sale = { customer_key, amount: 4_900, invoice_id: unique('inv') }
  expect((await program.sale(sale)).status).toBe(200)
}

test('every event is forwarded once, in order and signed, also those of a time without a connection', async () => {
  const program = await givenPayingProgram(service, TEN_PERCENT)
  const earlier = (await eventsOf(program)).length
  const { url, cut, restore } = givenCuttableConnection()
  const lines: string[] = []
  const secret = () => /whsec_\S+/.exec(lines.join('\n'))?.[0] ?? ''
  const { received, forwardTo } = givenReceiver(secret)
  const stop = new AbortController()
  const done = listen(
    { forwardTo, key: program.key, url, types: [], after: null },
    { print: (line) => lines.push(line), signal: stop.signal, timing: TIMING },
  )
  await until(() => secret() !== '')
  const customer = await program.customer()
  await sell(program, customer)
  const first = (await eventsOf(program)).slice(earlier)
  expect(first.map(({ type }: { type: string }) => type)).toContain('sale.created')
  await until(() => received.length >= first.length)

  cut()
  await until(() => lines.some((line) => line.startsWith('Connection lost')))
  await sell(program, customer)
  await sell(program, customer)
  restore()
  const all = (await eventsOf(program)).slice(earlier)
  // The receiver has an event before its answer is printed.
  await until(() => lines.some((line) => line.includes(`  ${all.at(-1).id}  `)))
  stop.abort()
  await done
  expect(received).toEqual(all)
  for (const { sequence, type, id } of all) {
    const status = type === 'lead.created' ? 500 : 204
    expect(lines.filter((line) => line.includes(`  ${sequence}  ${type}  ${id}  →  ${status} (`))).toHaveLength(1)
  }
})

test.skipIf(!isLongRun)('only chosen types after a given event, and a receiver that is down is reported', async () => {
  const program = await givenPayingProgram(service, TEN_PERCENT)
  await sell(program, await program.customer())
  const lines: string[] = []
  const stop = new AbortController()
  const done = listen(
    {
      forwardTo: `http://127.0.0.1:${freePort()}`,
      key: program.key,
      url: service.url,
      types: ['sale.created'],
      after: 0,
    },
    { print: (line) => lines.push(line), signal: stop.signal, timing: TIMING },
  )
  await until(() => lines.length >= 3)
  stop.abort()
  await done
  expect(lines[2]).toMatch(/ {2}sale\.created {2}evt_\S+ {2}→ {2}failed: cannot connect/)
})

test('after a restore that lost events it has forwarded, it ends and says how to continue', async () => {
  const program = await givenPayingProgram(service, TEN_PERCENT)
  const { url, cut, restore } = givenCuttableConnection()
  const lines: string[] = []
  const { forwardTo } = givenReceiver(() => /whsec_\S+/.exec(lines.join('\n'))?.[0] ?? '')
  const done = listen(
    { forwardTo, key: program.key, url, types: [], after: null },
    { print: (line) => lines.push(line), signal: new AbortController().signal, timing: TIMING },
  )
  await until(() => lines.length >= 2)
  await sell(program, await program.customer())
  const { sequence, id } = (await eventsOf(program)).at(-1)
  await until(() => lines.some((line) => line.includes(`  ${id}  `)))
  cut()
  await inTransaction(service.db, beginEpoch)
  await service.pool.query('UPDATE outbox_epochs SET after = $2 WHERE program_id = $1', [program.id, sequence - 1])
  restore()
  await expect(done).rejects.toThrow(new RegExp(`continue with after=${sequence}&epoch=\\d+\\.$`))
})

test('wrong options and a wrong key end with a sentence that says what to do', async () => {
  const run = async (args: string[], env = {}) => {
    const errors: unknown[] = []
    const print = () => {}
    return { code: await command({ args, env, print, printError: (line) => errors.push(line) }), error: errors.join() }
  }
  const to = ['--forward-to', 'http://localhost:4000']
  const KEY = { TRIBUTARY_KEY: 'trk_a_b', TRIBUTARY_URL: service.url }
  const { key } = await givenPayingProgram(service, TEN_PERCENT)
  const WRONG: [string[], object, string][] = [
    [to, {}, 'set TRIBUTARY_KEY'],
    [[], KEY, '--forward-to http://localhost:4000/hooks'],
    [['--forward-to', 'localhost:4000'], KEY, '--forward-to must be an address'],
    [[...to, '--forword'], KEY, 'Usage: npm run tributary -- listen'],
    [[...to, '--events', 'sale.create'], KEY, '--events must be event types'],
    [[...to, '--after', 'x'], KEY, '--after must be the sequence'],
    [to, KEY, 'API key'],
    [[...to, '--url', 'http://127.0.0.1:1'], KEY, 'cannot be reached'],
    [[...to, '--after', '99'], { ...KEY, TRIBUTARY_KEY: key }, 'continue with after=1.'],
  ]
  for (const [args, env, says] of WRONG)
    expect(await run(args, env)).toEqual({ code: 1, error: expect.stringContaining(says) })
})
