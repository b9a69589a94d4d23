import { sql } from 'kysely'
import { firstSoldBefore, leadPaidBefore } from '../database/paid-before.ts'
import type { Tx } from '../database/transaction.ts'
import type { StoredTerms } from './reward-terms.ts'
import { leadReward, saleReward } from './rewards.ts'

const AT_ONCE = 5_000

type VersionedTerms = StoredTerms & { partnerId: number | null; inherits: boolean }

export type ProgramTerms = Awaited<ReturnType<typeof readTerms>>

/** All terms of a program, and which of them held when. */
export const readTerms = async (tx: Tx, programId: number) => {
  const all = (await tx
    .selectFrom('rewardTerms')
    .selectAll()
    .where('programId', '=', programId)
    .orderBy('version', 'desc')
    .execute()) as VersionedTerms[]
  const byVersion = new Map(all.map((terms) => [terms.version, terms]))
  const latest = (partnerId: number | null, at: number) =>
    all.find((terms) => terms.partnerId === partnerId && terms.validFrom.getTime() <= at)
  const at = (partnerId: number, moment: number) => {
    const own = latest(partnerId, moment)
    return own && !own.inherits ? own : latest(null, moment)
  }
  return { none: all.length === 0, ofVersion: (version: number) => byVersion.get(version), at }
}

type Event = {
  kind: 'lead' | 'sale'
  id: number
  partnerId: number
  happenedAt: Date
  amountCents: number
  currency: string
  firstSoldAt: Date | null
}

type Verifying = { programId: number; terms: ProgramTerms; found: (difference: string) => void }

/** Credited events that have no commission must have been worth none. */
export const verifyUnpaidEvents = async (tx: Tx, { programId, terms, found }: Verifying) => {
  if (terms.none) return
  for (const read of [readSales, readLeads])
    for (let after = 0; ; ) {
      const events = await read(tx, { programId, after })
      for (const event of events)
        if (isMissing(event, terms)) found(`${event.kind} ${event.id} has no commission and should`)
      if (events.length < AT_ONCE) break
      after = events.at(-1)?.id ?? after
    }
}

const isMissing = (event: Event, terms: ProgramTerms) => {
  const held = terms.at(event.partnerId, event.happenedAt.getTime())
  if (!held) return false
  const reward = event.kind === 'lead' ? leadReward(held) : saleReward(held, { ...event, soldAt: event.happenedAt })
  return typeof reward !== 'string'
}

type From = { programId: number; after: number }

const readSales = async (tx: Tx, { programId, after }: From) => {
  const { rows } = await sql<Event>`
    SELECT 'sale' AS kind, sale.id, sale.partner_id, sale.sold_at AS happened_at, sale.amount_cents, sale.currency,
      least(first.sold_at, ${firstSoldBefore('lead')}, ${firstSoldBefore('sale')}) AS first_sold_at
    FROM sales sale
    LEFT JOIN leads lead ON lead.program_id = sale.program_id AND lead.click_id = sale.click_id
    LEFT JOIN LATERAL (
      SELECT other.sold_at FROM sales other
      JOIN commissions earlier ON earlier.program_id = other.program_id AND earlier.sale_id = other.id
      WHERE other.program_id = sale.program_id AND other.click_id = sale.click_id AND other.voided_at IS NULL
        AND earlier.amount_cents > 0 AND (other.sold_at, other.id) < (sale.sold_at, sale.id)
      ORDER BY other.sold_at, other.id LIMIT 1) first ON true
    WHERE sale.program_id = ${programId} AND sale.id > ${after} AND sale.click_id IS NOT NULL AND sale.voided_at IS NULL
      AND NOT EXISTS (SELECT FROM commissions WHERE program_id = sale.program_id AND sale_id = sale.id)
    ORDER BY sale.id LIMIT ${AT_ONCE}`.execute(tx)
  return rows
}

const readLeads = async (tx: Tx, { programId, after }: From) => {
  const { rows } = await sql<Event>`
    SELECT 'lead' AS kind, id, partner_id, settled_at AS happened_at FROM leads lead
    WHERE program_id = ${programId} AND id > ${after} AND state = 'settled' AND NOT ${leadPaidBefore('lead')}
      AND NOT EXISTS (SELECT FROM commissions WHERE program_id = lead.program_id AND lead_id = lead.id)
    ORDER BY id LIMIT ${AT_ONCE}`.execute(tx)
  return rows
}
