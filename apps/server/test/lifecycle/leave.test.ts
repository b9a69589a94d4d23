import { expect, test } from 'bun:test'
import { Hono } from 'hono'
import type { Env } from '../../src/http/context.ts'
import { takePort } from '../../src/listen.ts'

test('whoever leaves a shared port answers for as long as somebody asks, and tells each of them to connect anew', async () => {
  const port = takePort({ port: 0, host: '127.0.0.1' })
  port.serve(new Hono<Env>().get('/', (c) => c.text('here')))
  let hasLeft = false
  const leaving = port.leave().then(() => {
    hasLeft = true
  })
  // Longer than the second that is always waited: the last of these would find nobody.
  for (let asked = 0; asked < 5; asked++) {
    await Bun.sleep(400)
    expect(hasLeft).toBe(false)
    const answer = await fetch(`http://127.0.0.1:${port.port}/`)
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  }
  await leaving
  await port.stop()
})
