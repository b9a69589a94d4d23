import type { FetchHandler } from '../../apps/server/src/http/context.ts'
import { runWith } from './run-with.ts'

const SLOTS = 32

/** Like a server with a thread per call: a slow sender occupies a slot, and the others wait for one. */
const withSlots = (app: FetchHandler): FetchHandler => {
  let free = SLOTS
  const waiting: (() => void)[] = []
  const take = () => (free > 0 ? void free-- : new Promise<void>((resolve) => void waiting.push(resolve)))
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  const fetch: FetchHandler['fetch'] = async (request, bindings) => {
    await take()
    try {
      return await app.fetch(request, bindings)
    } finally {
      leave()
    }
  }
  return { fetch }
}

await runWith({ before: withSlots })
