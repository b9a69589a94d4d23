import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import type { Log } from '../log.ts'
import { findConnectionRow } from '../programs/processor-connections.ts'
import { findProgram } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import { openSecret } from '../sealed-secrets.ts'
import type { Source } from './apply-event.ts'
import { findKnownEvents } from './inbox.ts'
import { findInboxProgram } from './inbox-programs.ts'
import { processorOf, unnamedProcessor } from './processors.ts'
import { receiveEvent } from './receive-event.ts'
import type { ProcessorSettings } from './settings.ts'
import { readEvent } from './translate-event.ts'

/** `sealKey` opens the API key that the merchant saved. */
type Deps = { db: Database; clock: Clock; hashKey: string; log: Log; sealKey?: Buffer } & ProcessorSettings
type ReconcileOptions = { programId: number; processor?: string; days: number; onPage?: (counts: Counts) => void }
type Counts = { listed: number; known: number; recovered: number }

const DAY_MS = 86_400_000

/** Lists the processor's events of the last days and processes those that never arrived. */
export const reconcile = async (
  deps: Deps,
  { programId, processor: name = unnamedProcessor.name, days, onPage }: ReconcileOptions,
): Promise<Counts> => {
  const { db, clock } = deps
  const processor = processorOf({ processor: name })
  const { source, account } = await findAccount(deps, { programId, processor: name })
  if (!processor.listEvents)
    throw new Refusal('conflict', `${processor.label} cannot list events. Resend them from its dashboard instead.`)
  const counts: Counts = { listed: 0, known: 0, recovered: 0 }
  const since = new Date(clock().getTime() - days * DAY_MS)
  // The API returns the newest first; the order does not matter.
  for await (const page of processor.listEvents(deps, account, since)) {
    const ids = { programId: source.inboxProgram.id, processor: name, eventIds: page.map(({ id }) => id) }
    const known = await findKnownEvents(db, ids)
    for (const { id, text } of page) {
      const read = known.has(id) ? null : readEvent(processor, { text, receivedAt: clock(), eventId: id })
      const event = read && { ...read, livemode: read.livemode && !account.isTest }
      counts.listed += 1
      if (!event) counts.known += 1
      else if ((await receiveEvent(deps, { source, event, raw: Buffer.from(text) })).duplicate) counts.known += 1
      else counts.recovered += 1
    }
    onPage?.({ ...counts })
  }
  return counts
}

const findAccount = async ({ db, sealKey }: Deps, key: { programId: number; processor: string }) => {
  const { programId } = key
  const program = await findProgram(db, programId)
  const connection = program && (await findConnectionRow(db, key))
  const inboxProgram = program && (await findInboxProgram(db, program.workspaceId))
  if (!connection || !inboxProgram || connection.status === 'disconnected')
    throw new Refusal('conflict', `Program ${programId} is not connected to a payment processor.`)
  const { kind, accountId, livemode, apiKey: sealed } = connection
  const apiKey = sealKey && sealed ? openSecret(sealKey, { programId, sealed }) : null
  const isOwn = kind === 'own'
  const source: Source = {
    inboxProgram,
    endpointProgramId: isOwn ? programId : null,
    programIds: [programId],
    accountId,
    livemode: isOwn ? null : livemode,
  }
  return { source, account: { programId, kind, accountId, apiKey, isTest: isOwn && livemode === false } }
}
