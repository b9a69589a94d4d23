import { Hono } from 'hono'
import type { Answering, Env } from '../../apps/server/src/http/context.ts'
import { runWith } from './run-with.ts'

const PLACES = 32

/** As a server with a thread for each call: whoever sends slowly keeps a place all the while, and the others wait for one. */
const withPlaces = (app: Answering): Answering => {
  let free = PLACES
  const waiting: (() => void)[] = []
  const take = () => (free > 0 ? void free-- : new Promise<void>((resolve) => void waiting.push(resolve)))
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return new Hono<Env>().all('*', async (c) => {
    await take()
    try {
      return await app.fetch(c.req.raw, c.env)
    } finally {
      leave()
    }
  })
}

await runWith({ before: withPlaces })
