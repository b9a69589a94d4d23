import { sql } from 'kysely'
import { isBadWeather } from '../database/bad-weather.ts'
import type { Tx } from '../database/transaction.ts'
import { applyAgain, type Source } from './apply-event.ts'
import type { Outcome } from './inbox.ts'
import { keepOnce, type ReceiveDeps } from './receive-event.ts'
import { markAdopted, straysOf } from './strays.ts'
import { readEvent } from './stripe/read-event.ts'
import type { IncomingEvent } from './translation.ts'

type Deps = Omit<ReceiveDeps, 'db'>
type Adopting = { source: Source; accountId: string; at: Date }

/** Account changes and test events were valid only at their time. */
const OVER: Outcome = { reportId: null, fate: 'ignored', reason: 'before_connection' }
const FAILED: Outcome = { reportId: null, fate: 'waiting', reason: 'not_processed' }

/**
 * Processes events that arrived before their account was connected, in the transaction that connects it. Payments may be older;
 * their order does not matter.
 */
export const adoptStrays = async (tx: Tx, deps: Deps, { source, accountId, at }: Adopting) => {
  for (const { eventId, payload, receivedAt } of await straysOf(tx, accountId)) {
    const raw = Buffer.from(payload)
    const event = readEvent(raw.toString('utf8'), receivedAt)
    if (event) await adopt(tx, deps, { source, event, raw })
    await markAdopted(tx, { eventId, at })
  }
}

type Stray = { source: Source; event: IncomingEvent; raw: Buffer }

/** A failure of ours must not prevent the account from being connected. */
const adopt = async (tx: Tx, deps: Deps, stray: Stray) => {
  await sql`SAVEPOINT stray`.execute(tx)
  try {
    await keepOnce(tx, stray, async () => (await applyAgain(tx, deps, stray.source, stray.event)) ?? OVER)
  } catch (error) {
    if (isBadWeather(error)) throw error
    deps.log.error({ err: error, eventId: stray.event.id }, 'could not apply processor event')
    await sql`ROLLBACK TO SAVEPOINT stray`.execute(tx)
    await keepOnce(tx, stray, async () => FAILED)
  }
  await sql`RELEASE SAVEPOINT stray`.execute(tx)
}
