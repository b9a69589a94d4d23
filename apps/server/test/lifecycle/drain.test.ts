import { expect, test } from 'bun:test'
import { Hono } from 'hono'
import type { Env } from '../../src/http/context.ts'
import { takePort } from '../../src/listen.ts'

test('a process that leaves a shared port keeps answering while requests arrive, and asks each client to reconnect', async () => {
  const port = takePort({ port: 0, host: '127.0.0.1' })
  port.serve(new Hono<Env>().get('/', (c) => c.text('here')))
  let leftAt = Number.POSITIVE_INFINITY
  const leaving = port.drain().then(() => {
    leftAt = performance.now()
  })
  const requestedAt: number[] = []
  // Longer than the minimum wait of one second.
  for (const begun = performance.now(); performance.now() < begun + 1_600; await Bun.sleep(150)) {
    requestedAt.push(performance.now())
    const answer = await fetch(`http://127.0.0.1:${port.port}/`)
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  }
  await leaving
  // On any machine: it left after a full second without requests.
  const last = requestedAt.findLast((at) => at < leftAt) ?? 0
  expect(leftAt - last).toBeGreaterThan(990)
  await port.stop()
})
