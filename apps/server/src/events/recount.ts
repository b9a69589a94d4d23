import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import { addCounts, addMoney } from './add-facts.ts'
import { everyDimension } from './dimensions.ts'
import { convertedByLink, convertedFacts, moneyByAll, type One } from './facts.ts'
import { forgetOpenDays } from './open-days.ts'
import { addLate } from './period-sums.ts'
import { forgetRankings } from './rankings.ts'
import { lockMark } from './roll-up-marks.ts'

/** What is younger is not rolled up before its transaction is over: the roll-up stays two minutes behind. */
const SETTLED_MS = 60_000

/** A sale or a lead, and the moment at which it began to count. */
export type Event = One & { beganAt: Date | null }
/** What an event adds to the roll-up. */
export type Facts = { programId: number; beganAt: Date; counts: object[]; links: object[]; money: object[] }

/** What these events add, as they stand. An event of this minute is read where it is, and needs no recount. */
export const factsOf = async (tx: Tx, { events, at }: { events: Event[]; at: Date }): Promise<Facts[]> => {
  const facts: Facts[] = []
  for (const { beganAt, ...one } of events)
    if (beganAt && beganAt.getTime() <= at.getTime() - SETTLED_MS)
      facts.push({ programId: one.programId, beganAt, ...(await rowsOf(tx, one)) })
  return facts
}

const rowsOf = async (tx: Tx, one: One) => {
  const { rows } = await sql<Pick<Facts, 'counts' | 'links' | 'money'>>`SELECT
    (SELECT coalesce(jsonb_agg(row), '[]') FROM (
      SELECT dimension, day, value, leads, sales FROM (${convertedFacts(one)}) click CROSS JOIN LATERAL ${everyDimension}) row) AS counts,
    (SELECT coalesce(jsonb_agg(row), '[]') FROM (${convertedByLink(one)}) row) AS links,
    (SELECT coalesce(jsonb_agg(row), '[]') FROM (${moneyByAll(one)}) row) AS money`.execute(tx)
  return rows[0] ?? { counts: [], links: [], money: [] }
}

/** An event that is about to change, and what it adds until then. */
export type Changing = Event & { before: Facts[] }

/** Asked while whatever changes it holds its lock. */
export const aboutToChange = async (tx: Tx, { event, at }: { event: Event; at: Date }): Promise<Changing> => ({
  ...event,
  before: await factsOf(tx, { events: [event], at }),
})

const nameOf = (event: Event) =>
  `${event.programId} ${'saleId' in event ? `sale ${event.saleId}` : `lead ${event.leadId}`}`

/** Recounts what has changed. Of an event that changed twice, what it added before the first time counts. */
export const recountChanged = async (tx: Tx, { changing, at }: { changing: Changing[]; at: Date }) => {
  const events = [...Map.groupBy(changing, nameOf).values()].flatMap(([first]) => first ?? [])
  const before = events.flatMap((event) => event.before)
  const after = await factsOf(tx, { events: events.map(({ before: _, ...event }) => event), at })
  await recount(tx, { before, after, at })
}

type Changed = { before: Facts[]; after: Facts[]; at: Date }

/**
 * Brings what is rolled up to what a payment has become: amended, merged, or told of long after it was made. Called last in
 * its transaction, for it holds the watermark, and whoever holds that waits for nothing else.
 */
export const recount = async (tx: Tx, { before, after, at }: Changed) => {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  const programIds = [...new Set([...before, ...after].map(({ programId }) => programId))]
  for (const programId of programIds.toSorted((a, b) => a - b)) {
    const { countedUntil, summedDay } = await lockMark(tx, { programId, at })
    const isRolledUp = (facts: Facts) => facts.programId === programId && facts.beganAt <= countedUntil
    const signed = [
      ...before.filter(isRolledUp).map((facts) => ({ ...facts, sign: -1 })),
      ...after.filter(isRolledUp).map((facts) => ({ ...facts, sign: 1 })),
    ]
    if (signed.length > 0) await addSigned(tx, { programId, summedDay }, signed)
  }
}

type Signed = Facts & { sign: number }

const addSigned = async (
  tx: Tx,
  { programId, summedDay }: { programId: number; summedDay: string | null },
  signed: Signed[],
) => {
  const rows = (of: 'counts' | 'links' | 'money') =>
    JSON.stringify(signed.flatMap(({ sign, ...facts }) => facts[of].map((row) => ({ ...row, sign }))))
  const money = sql`jsonb_to_recordset(${rows('money')}::jsonb) AS row(dimension text, day date, value text COLLATE "C",
    currency text, revenue_cents bigint, commission_cents bigint, sign integer)`
  const signedMoney = sql`currency, sign * revenue_cents AS revenue_cents, sign * commission_cents AS commission_cents FROM ${money}`
  await addCounts(
    tx,
    programId,
    sql`SELECT dimension, day, value, 0 AS clicks, sum(sign * leads) AS leads, sum(sign * sales) AS sales
      FROM jsonb_to_recordset(${rows('counts')}::jsonb)
        AS row(dimension text, day date, value text COLLATE "C", leads integer, sales integer, sign integer)
      GROUP BY dimension, day, value HAVING sum(sign * leads) <> 0 OR sum(sign * sales) <> 0`,
  )
  await addMoney(tx, programId, sql`SELECT dimension, day, value, ${signedMoney}`)
  await addLate(tx, {
    programId,
    summedDay,
    counts: sql`SELECT day, link_id, partner_id, 0 AS clicks, sign * leads AS leads, sign * sales AS sales
      FROM jsonb_to_recordset(${rows('links')}::jsonb)
        AS row(day date, link_id integer, partner_id integer, leads integer, sales integer, sign integer)`,
    money: sql`SELECT day, value::integer AS link_id, ${signedMoney} WHERE dimension = 'link'`,
  })
  await forgetRankings(tx, programId)
  await forgetOpenDays(tx, programId)
}
