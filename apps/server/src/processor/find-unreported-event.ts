import type { EventOutcome } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'
import type { UnreportedEvent } from '../tracking/explain/explain-unreported-event.ts'
import { findInboxProgramId } from './inbox-programs.ts'
import { readStoredEvent, translate } from './translate-event.ts'
import { idOf } from './translating/fields.ts'
import type { IncomingEvent } from './translation.ts'

/** Only this many of the newest events are searched, because their payloads have no index. */
const MAX_SEARCHED = 10_000

type StoredEvent = {
  processor: string
  endpointProgramId: number | null
  eventId: string
  livemode: boolean
  payload: Uint8Array
  receivedAt: Date
  fate: EventOutcome
  reason: UnreportedEvent['reason']
}

/**
 * Finds an event that names one of these references but produced no payment report: it was refused, a test, or not about a
 * payment. Prefers live events to tests, then the newest. Null if there is none.
 */
export const findUnreportedEvent = async (
  db: Database,
  { program, names }: { program: Program; names: string[] },
): Promise<UnreportedEvent | null> => {
  const inboxProgramId = await findInboxProgramId(db, program.workspaceId)
  if (inboxProgramId === null) return null
  const stored = await findStoredEvents(db, { inboxProgramId, needles: names.map((name) => Buffer.from(name)) })
  const unreported = stored.flatMap((row) => parseUnreportedEvent(row, { program, names }) ?? [])
  return unreported.find(({ test }) => !test) ?? unreported[0] ?? null
}

const findStoredEvents = async (
  db: Database,
  { inboxProgramId, needles }: { inboxProgramId: number; needles: Buffer[] },
) => {
  const { rows } = await sql<StoredEvent>`
    SELECT processor, endpoint_program_id, event_id, livemode, payload, received_at, fate, reason FROM (
      SELECT * FROM processor_events
      WHERE program_id = ${inboxProgramId} AND report_id IS NULL AND reason <> 'other_event'
      ORDER BY id DESC LIMIT ${sql.lit(MAX_SEARCHED)}) newest
    WHERE EXISTS (SELECT FROM unnest(${needles}::bytea[]) word WHERE position(word IN payload) > 0)
    ORDER BY id DESC`.execute(db)
  return rows
}

const parseUnreportedEvent = (
  stored: StoredEvent,
  { program, names }: { program: Program; names: string[] },
): UnreportedEvent | null => {
  const { endpointProgramId, fate, reason } = stored
  const event = readStoredEvent(stored)
  if (!event) return null
  const { references, programId } = referencesOf(event, endpointProgramId)
  if (!references.some((name) => names.includes(name))) return null
  // An event that names another program of the workspace does not concern this one.
  const isOurs = reason === 'program_of_others' || programId === null || programId === program.id
  return isOurs ? { at: event.createdAt, test: !event.livemode, fate, reason, references } : null
}

/** An event without payment data still refers to the object it carries. */
const referencesOf = (event: IncomingEvent, endpointProgramId: number | null) => {
  const translation = translate(event, endpointProgramId)
  if ('report' in translation)
    return { references: translation.report.references, programId: translation.report.attribution?.programId ?? null }
  const id = idOf(event.object)
  return { references: id === null ? [] : [id], programId: null }
}
