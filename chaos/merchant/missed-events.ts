import type { Instance } from '../instance/instance.ts'
import { until } from '../instance/until.ts'
import type { Reader } from './readers.ts'
import type { Receiver } from './receiver.ts'

const READ_MS = 30_000

const CREATED = { sale: 'sales', commission: 'commissions', lead: `leads WHERE state = 'settled'` }

/** No change without its event, and no event without its change. */
const compareTables = async (service: Instance) => {
  const findings: string[] = []
  for (const [object, table] of Object.entries(CREATED)) {
    const rows = `SELECT program_id, id FROM ${table}`
    const events = `SELECT program_id, (data->>'id')::bigint FROM outbox_events WHERE type = '${object}.created'`
    const missing = await service.query(`${rows} EXCEPT ALL ${events}`)
    if (missing.length > 0) findings.push(`${missing.length} ${object}s without their event`)
    const extra = await service.query(`${events} EXCEPT ALL ${rows}`)
    if (extra.length > 0) findings.push(`${extra.length} ${object} events without their ${object}`)
  }
  return findings
}

const isAscending = (sequences: number[]) =>
  sequences.every((one, index) => index === 0 || one > (sequences[index - 1] ?? 0))

/** What a receiver that knows each webhook-id did with the events. */
const judgeReceiver = ({ name, ordered, applied, complaints }: Receiver, events: string[]) => {
  const findings = [...complaints].map(([message, times]) => `${name}: refused ${times} requests: ${message}`)
  const ids = new Set(applied.map(({ id }) => id))
  const lost = events.filter((id) => !ids.has(id))
  if (lost.length > 0) findings.push(`${name}: lost ${lost.length} of ${events.length} events`)
  if (applied.length > ids.size) findings.push(`${name}: applied ${applied.length - ids.size} events twice`)
  if (ordered && !isAscending(applied.map(({ sequence }) => sequence)))
    findings.push(`${name}: got events out of order`)
  return findings
}

const judgeReader = ({ name, sequences }: Reader, { after, head }: { after: number; head: number }) => {
  const wrong = sequences.findIndex((sequence, index) => sequence !== after + index + 1)
  if (wrong >= 0) return [`${name}: ${sequences[wrong]} instead of ${after + wrong + 1}`]
  return after + sequences.length >= head ? [] : [`${name}: ended at ${after + sequences.length} of ${head}`]
}

type Followers = { after: number; receivers: Receiver[]; readers: Reader[] }

/** Compares the tables, the events and what every follower got since `after`. */
export const findMissedEvents = async (service: Instance, { after, receivers, readers }: Followers) => {
  const { programId } = service.shop
  const rows = await service.query(`SELECT 'evt_' || program_id || '_' || id AS id, sequence FROM outbox_events
    WHERE program_id = ${programId} AND sequence > ${after} ORDER BY sequence`)
  const head = Number(rows.at(-1)?.sequence ?? after)
  // A reader that never arrives is judged below.
  const haveRead = () => readers.every((reader) => reader.last() >= head)
  await until('consumers have read everything', haveRead, READ_MS).catch(() => {})
  return [
    ...(await compareTables(service)),
    ...receivers.flatMap((receiver) =>
      judgeReceiver(
        receiver,
        rows.map(({ id }) => id),
      ),
    ),
    ...readers.flatMap((reader) => judgeReader(reader, { after, head })),
  ]
}
