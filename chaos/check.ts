import type pg from 'pg'
import { openDatabase } from '../apps/server/src/database/connect.ts'
import { verifyEverything } from '../apps/server/src/tracking/payments/verify-payments.ts'
import type { Entry, Kind, Ledger } from './ledger.ts'

type Found = { id: string; times: number; detail: string | null }

/** How often each sent call is in the database, and the details that must match its response. */
const STORED: Record<Kind, string> = {
  click: `SELECT session_id AS id, count(*)::int AS times, min(click_id) AS detail
    FROM click_events WHERE program_id = $1 GROUP BY 1`,
  lead: `SELECT customer_key AS id, count(*)::int AS times, NULL AS detail
    FROM leads JOIN customers USING (program_id, click_id) WHERE program_id = $1 AND state = 'settled' GROUP BY 1`,
  // One commission per sale: a second one would pay a partner twice.
  sale: `SELECT sales.invoice_id AS id, greatest(count(DISTINCT sales.id), count(commissions.id))::int AS times,
      min(sales.amount_cents)::text AS detail
    FROM sales LEFT JOIN commissions ON commissions.program_id = sales.program_id AND commissions.sale_id = sales.id
    WHERE sales.program_id = $1 AND sales.reported_by <> 'processor' GROUP BY 1`,
  // In the inbox and as money: an accepted event without a sale is a lost one.
  webhook: `SELECT event_id AS id, least(1, count(sales.id))::int * greatest(count(*), count(sales.id))::int AS times,
      min(sales.amount_cents)::text AS detail
    FROM processor_events
    LEFT JOIN sales ON sales.program_id = processor_events.program_id
      AND sales.customer_key = convert_from(payload, 'UTF8')::jsonb #>> '{data,object,metadata,service_customer_key}'
    WHERE processor_events.program_id = $1 GROUP BY 1`,
}

const expectedDetail = ({ clickId, amountCents }: Entry) => clickId ?? amountCents?.toString() ?? null

/** The fault of one entry, or null. */
const faultOf = (entry: Entry, found: Found | undefined) => {
  const times = found?.times ?? 0
  if (entry.outcome === 'acknowledged' && times === 0) return 'lost after it was acknowledged'
  if (times > 1) return 'stored more than once'
  if (entry.outcome === 'refused' && times > 0) return 'stored although every response said that nothing was recorded'
  if (entry.outcome === 'acknowledged' && found?.detail !== expectedDetail(entry))
    return 'different from the acknowledged values'
  return null
}

const compare = async (pool: pg.Pool, ledger: Ledger, { programId, kind }: { programId: number; kind: Kind }) => {
  const { rows } = await pool.query<Found>(STORED[kind], [programId])
  const stored = new Map(rows.map((row) => [row.id, row]))
  const faults = new Map<string, string[]>()
  const note = (fault: string, id: string) => faults.set(fault, [...(faults.get(fault) ?? []), id])
  for (const entry of ledger.entries(kind)) {
    const fault = faultOf(entry, stored.get(entry.id))
    if (fault) note(fault, entry.id)
  }
  // A webhook settles its own leads, which the load never sent as leads.
  if (kind !== 'lead') for (const { id } of rows) if (!ledger.has(kind, id)) note('stored but never sent', id)
  return [...faults].map(
    ([fault, ids]) => `${ids.length} of ${ledger.entries(kind).length} ${kind}s: ${fault} (${ids[0]})`,
  )
}

/** All differences between the ledger and the database, and within the service's own books. */
export const check = async (pool: pg.Pool, ledger: Ledger, programId: number): Promise<string[]> => {
  const findings: string[] = []
  for (const kind of ['click', 'lead', 'sale', 'webhook'] as const)
    findings.push(...(await compare(pool, ledger, { programId, kind })))
  // Counters equal events, commissions equal terms, accounts equal lines, payments equal their reports.
  await verifyEverything(openDatabase(pool), {
    sealedBefore: null,
    onProgram: (_, { differences }) => findings.push(...differences.map((text) => `ledger:verify: ${text}`)),
  })
  return findings
}
