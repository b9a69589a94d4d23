import type { Clock } from '../clock.ts'
import type { StripeSettings } from '../config/stripe.ts'
import type { Database } from '../database/connect.ts'
import type { Log } from '../log.ts'
import { findConnectionRow } from '../programs/processor-connections.ts'
import { findProgram } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import type { Source } from './apply-event.ts'
import { findKnownEvents } from './inbox.ts'
import { findInboxProgram } from './inbox-programs.ts'
import { receiveEvent } from './receive-event.ts'
import { findAccountId } from './stripe/client.ts'
import { listEvents } from './stripe/list-events.ts'
import { readEvent } from './stripe/translate.ts'

type Deps = { db: Database; clock: Clock; hashKey: string; log: Log; stripe: StripeSettings }
type ReconcileOptions = { programId: number; days: number; onPage?: (counts: Counts) => void }
type Counts = { listed: number; known: number; recovered: number }

const DAY_MS = 86_400_000

/** Lists the processor's events of the last days and processes those that never arrived. */
export const reconcile = async (deps: Deps, { programId, days, onPage }: ReconcileOptions): Promise<Counts> => {
  const { db, clock, stripe } = deps
  const { source, key, accountId } = await findAccount(deps, programId)
  if (!accountId && source.accountId) await refuseOtherAccount(stripe, { key, known: source.accountId })
  const counts: Counts = { listed: 0, known: 0, recovered: 0 }
  const since = new Date(clock().getTime() - days * DAY_MS)
  // The API returns the newest first; the order does not matter.
  for await (const page of listEvents({ settings: stripe, key, accountId, since })) {
    const known = await findKnownEvents(db, { programId: source.inboxProgram.id, eventIds: page.map(({ id }) => id) })
    for (const { id, text } of page) {
      const event = known.has(id) ? null : readEvent(text, clock())
      counts.listed += 1
      if (!event) counts.known += 1
      else if ((await receiveEvent(deps, { source, event, raw: Buffer.from(text) })).duplicate) counts.known += 1
      else counts.recovered += 1
    }
    onPage?.({ ...counts })
  }
  return counts
}

/** A platform uses its own key for a connected account; a merchant's own account needs that account's key. */
const findAccount = async ({ db, stripe }: Deps, programId: number) => {
  const program = await findProgram(db, programId)
  const connection = program && (await findConnectionRow(db, programId))
  const inboxProgram = program && (await findInboxProgram(db, program.workspaceId))
  if (!connection || !inboxProgram || connection.status === 'disconnected')
    throw new Refusal('conflict', `Program ${programId} is not connected to a payment processor.`)
  const { kind, accountId, livemode } = connection
  const key = kind === 'platform' ? stripe.secretKey : stripe.apiKey
  if (!key)
    throw new Refusal(
      'conflict',
      kind === 'platform'
        ? 'Set STRIPE_SECRET_KEY to the same value as the service.'
        : 'Set STRIPE_API_KEY to a key of the account that can read events and the account. This command does not store it.',
    )
  const source: Source = { inboxProgram, programIds: [programId], accountId, livemode }
  return { source, key, accountId: kind === 'platform' ? accountId : null }
}

/** A key of another account would credit that account's payments here. */
const refuseOtherAccount = async (settings: StripeSettings, { key, known }: { key: string; known: string }) => {
  const accountId = await findAccountId({ settings, key })
  if (accountId !== known)
    throw new Refusal(
      'conflict',
      `STRIPE_API_KEY belongs to account ${accountId}, but the program is connected to ${known}. Use a key of that account.`,
    )
}
