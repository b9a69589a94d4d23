import type { Conduct } from '../conduct.ts'
import type { Shop } from '../instance/shop.ts'
import type { Ledger } from '../ledger.ts'
import type { Answer } from './caller.ts'
import { type FastCaller, openFastCaller } from './fast-caller.ts'

type Options = { port: number; shop: Shop; ledger: Ledger; conduct: Conduct; timeoutMs: number }

const TICK_MS = 5
const MOST_CALLERS = 6_000

const clickRequest = (shop: Shop, id: string) => {
  const body = JSON.stringify({ affiliate_url: shop.affiliateUrl, session_id: id, visit_id: Date.now() })
  return `POST /api/v1/track/click HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

const clickOnce = async ({ shop, ledger, conduct }: Options, caller: FastCaller) => {
  const id = crypto.randomUUID()
  ledger.sending('click', id)
  const answer: Answer | null = await caller.ask(clickRequest(shop, id))
  conduct.note('click', answer, caller.failure())
  if (answer?.status === 200) ledger.answered('click', id, 'acknowledged', answer.body.click_id)
  else ledger.answered('click', id, answer?.body?.error?.code === 'overloaded' ? 'refused' : 'unknown')
}

/** Callers that send the next click as soon as the last is answered: as much as the service can take. */
export const clickFor = async (
  options: Options,
  { callers, milliseconds }: { callers: number; milliseconds: number },
) => {
  const until = performance.now() + milliseconds
  const work = async () => {
    const caller = openFastCaller(options)
    while (performance.now() < until) await clickOnce(options, caller)
    caller.close()
  }
  await Promise.all(Array.from({ length: callers }, work))
}

/**
 * Sends clicks at a fixed rate, answered or not. Returns how many were sent, and how many of them were acknowledged by
 * the end. Clicks that a busy machine could not send in time are not made up for.
 */
export const floodFor = async (
  options: Options,
  { perSecond, milliseconds }: { perSecond: number; milliseconds: number },
) => {
  const free: FastCaller[] = []
  const underWay = new Set<Promise<void>>()
  const started = performance.now()
  let sent = 0
  let owed = 0
  let last = started
  while (performance.now() < started + milliseconds) {
    owed = Math.min(owed + ((performance.now() - last) / 1000) * perSecond, perSecond / 10)
    last = performance.now()
    for (; owed >= 1 && underWay.size < MOST_CALLERS; owed--) {
      sent++
      const caller = free.pop() ?? openFastCaller(options)
      const call: Promise<void> = clickOnce(options, caller).then(() => {
        free.push(caller)
        underWay.delete(call)
      })
      underWay.add(call)
    }
    await Bun.sleep(TICK_MS)
  }
  const acknowledged = options.conduct.count(200)
  await Promise.all(underWay)
  for (const caller of free) caller.close()
  return { sent, acknowledged }
}
