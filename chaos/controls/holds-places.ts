import type { Answering } from '../../apps/server/src/http/context.ts'
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
  const fetch: Answering['fetch'] = async (request, bindings) => {
    await take()
    try {
      return await app.fetch(request, bindings)
    } finally {
      leave()
    }
  }
  return { fetch }
}

await runWith({ before: withPlaces })
