import { setTimeout as sleep } from 'node:timers/promises'
import { TributaryError } from '@tributary/sdk'

type Options = { log: (message: string) => void; sendAgainAfterMs: number }
type Report = { what: string; send: () => Promise<unknown> }

/**
 * What the shop has to tell Tributary. A report that fails is kept and sent again until it is answered; sending it twice is
 * safe, for a lead is known by its customer, a sale by its invoice, a refund by its ID. The reports of one customer go out in
 * their order, because a refund means nothing before its sale. They are in memory, as the customers are; a real shop keeps them
 * in its database beside the order.
 */
export const openReports = ({ log, sendAgainAfterMs }: Options) => {
  const closing = new AbortController()
  const last = new Map<string, Promise<void>>()

  const deliver = async ({ what, send }: Report, afterFirstTry: () => void) => {
    for (let tries = 1; !closing.signal.aborted; tries += 1) {
      try {
        await send()
        if (tries > 1) log(`${what} is reported now.`)
        return
      } catch (error) {
        if (!isWorthSendingAgain(error)) return log(`${what} was refused: ${(error as Error).message}`)
        if (tries === 1) log(`${what} could not be reported and is sent again: ${(error as Error).message}`)
      }
      afterFirstTry()
      await sleep(sendAgainAfterMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
    log(`${what} was never reported, for the shop has closed.`)
  }

  return {
    /** Resolves after the first try, and at once where an earlier report of this customer waits: nobody waits for tracking long. */
    tell: (customerId: string, report: Report) =>
      new Promise<void>((goOn) => {
        const earlier = last.get(customerId)
        const mine = (earlier ?? Promise.resolve()).then(() => deliver(report, goOn))
        last.set(customerId, mine)
        void mine.then(() => {
          if (last.get(customerId) === mine) last.delete(customerId)
          goOn()
        })
        if (earlier) goOn()
      }),
    close: () => closing.abort(),
  }
}

/** No answer, too many calls or a broken service. Everything else is answered the same way however often it is sent. */
const isWorthSendingAgain = (error: unknown) =>
  error instanceof TributaryError &&
  (error.status === null || error.status === 429 || error.status >= 500 || error.code === 'unexpected_answer')
