import { overloaded } from '../refusal.ts'
import { isLockTimeout } from './transient-errors.ts'

/** How many of a merchant's calls may try to run alone at the same time, each with a connection. */
const AT_ONCE = 3
/** The first try while another call of the merchant waits for a lock: long enough for a lock that is free. */
const FIRST_TRY_MS = 50
/** Each further try. */
const FURTHER_TRY_MS = 300
/** How many of a merchant's calls make a further try at the same time. */
const WAITING_AT_ONCE = 2
const MAX_CALLS = 1_000
/** No try starts later than this, so that the call is still answered in time. */
const MAX_WAIT_MS = 1_800

/** Runs a call in its own transaction. If `lockTimeoutMs` is null, the connection's default applies. */
type Run<T> = (lockTimeoutMs: number | null) => Promise<T>

/**
 * Keeps calls that wait for a lock from occupying the connections that other merchants' calls need: such a call tries, gives its
 * connection back, and tries again in turn with the merchant's other waiting calls.
 */
export const createMerchantTurns = () => {
  const merchants = new Map<string, Merchant>()
  return {
    /** One of the merchant's calls waits for a lock. Others may need the same one, so they must not hold up a batch. */
    isWaiting: (merchant: string) => (merchants.get(merchant)?.waiting ?? 0) > 0,
    /** Runs a call alone. `isSuspect`: it may be the one that made its batch wait for a lock. */
    run: async <T>(name: string, run: Run<T>, { isSuspect = false } = {}): Promise<T> => {
      const merchant = merchants.get(name) ?? {
        calls: 0,
        waiting: 0,
        first: createLimit(AT_ONCE),
        further: createLimit(WAITING_AT_ONCE),
      }
      if (merchant.calls >= MAX_CALLS) throw overloaded('merchant_queue_full')
      merchants.set(name, merchant)
      merchant.calls++
      try {
        return await takeTurns(merchant, run, isSuspect)
      } finally {
        merchant.calls--
        if (merchant.calls === 0) merchants.delete(name)
      }
    },
  }
}

type Limit = ReturnType<typeof createLimit>
type Merchant = { calls: number; waiting: number; first: Limit; further: Limit }

const takeTurns = async <T>(merchant: Merchant, run: Run<T>, isSuspect: boolean): Promise<T> => {
  const until = performance.now() + MAX_WAIT_MS
  try {
    return await merchant.first(() => {
      if (performance.now() > until) throw overloaded('merchant_queue_delay')
      return run(isSuspect || merchant.waiting > 0 ? FIRST_TRY_MS : null)
    })
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    merchant.waiting++
    try {
      return await waitForLock(merchant, run, { until, timeout: error })
    } finally {
      merchant.waiting--
    }
  }
}

type Wait = { until: number; timeout: unknown }

const waitForLock = async <T>({ further }: Merchant, run: Run<T>, { until, timeout }: Wait): Promise<T> => {
  for (;;)
    try {
      return await further(() => {
        if (performance.now() > until) throw timeout
        return run(FURTHER_TRY_MS)
      })
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > until) throw error
    }
}

/** Lets `max` operations run at the same time; the others wait in order of arrival. */
const createLimit = (max: number) => {
  const queue: (() => void)[] = []
  let running = 0
  return async <T>(operation: () => Promise<T>): Promise<T> => {
    if (running < max) running++
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await operation()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
