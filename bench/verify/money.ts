import { type Acknowledged, lookForFaults } from './faults.ts'

/** A commission with exactly one ledger line of its amount. */
const earned = (of: 'lead_id' | 'sale_id', id: string) => `
  (SELECT count(*) FROM commissions earned JOIN ledger_lines line ON line.program_id = earned.program_id AND line.commission_id = earned.id
    AND line.amount_cents = earned.amount_cents AND line.from_account = 'program'
   WHERE earned.program_id = $1 AND earned.${of} = ${id})`

/** Every acknowledged lead is stored once, settled, with a commission; and no other was created. */
const findLeadFaults = ({ service, leads, since }: Acknowledged) =>
  lookForFaults(service.pool, leads, async (count) => {
    await count(
      'acknowledged leads are not stored exactly once with a commission',
      `SELECT FROM acknowledged
       LEFT JOIN customer_keys known ON known.program_id = $1 AND known.customer_key = name
       LEFT JOIN leads lead ON lead.program_id = $1 AND lead.click_id = known.click_id AND lead.state = 'settled'
       WHERE lead.id IS NULL OR ${earned('lead_id', 'lead.id')} <> 1`,
      [service.program.id],
    )
    await count(
      'leads were recorded but never acknowledged',
      `SELECT FROM leads JOIN customers USING (program_id, click_id)
       WHERE program_id = $1 AND settled_at > $2 AND NOT EXISTS (SELECT FROM acknowledged WHERE name = customer_key)`,
      [service.program.id, since],
      leads.doubtful,
    )
  })

/** Every acknowledged sale is stored once, credited, with a commission; and no other was created. */
const findSaleFaults = ({ service, sales, since }: Acknowledged) =>
  lookForFaults(service.pool, sales, async (count) => {
    await count(
      'acknowledged sales are not stored exactly once with a commission',
      `SELECT FROM acknowledged LEFT JOIN sales sale ON sale.program_id = $1 AND sale.invoice_id = name AND sale.click_id IS NOT NULL
       WHERE sale.id IS NULL OR ${earned('sale_id', 'sale.id')} <> 1`,
      [service.program.id],
    )
    await count(
      'sales were recorded but never acknowledged',
      `SELECT FROM sales WHERE program_id = $1 AND reported_by = 'merchant' AND sold_at > $2
         AND NOT EXISTS (SELECT FROM acknowledged WHERE name = invoice_id)`,
      [service.program.id, since],
      sales.doubtful,
    )
  })

/** Every acknowledged event is stored once, and each fully reported payment is one sale with a commission. */
const findWebhookFaults = ({ service, webhooks }: Acknowledged) =>
  lookForFaults(service.pool, webhooks, async (count) => {
    await count(
      'acknowledged events are not stored exactly once',
      `SELECT FROM acknowledged WHERE (SELECT count(*) FROM processor_events WHERE program_id = $1 AND event_id = name) <> 1
         AND name LIKE 'evt%'`,
      [service.program.id],
    )
    // evt_<which>_<payment>: the session's event names the customer.
    await count(
      'payments are not exactly one sale with a commission',
      `SELECT FROM (SELECT DISTINCT regexp_replace(name, '^evt_\\d+_', '') AS payment FROM acknowledged WHERE name LIKE 'evt\\_3\\_%') paid
       WHERE (SELECT count(*) FROM payment_references named JOIN payment_references other
           ON other.program_id = named.program_id AND other.payment_id = named.payment_id
         JOIN sales sale ON sale.program_id = other.program_id AND sale.invoice_id = other.reference AND sale.click_id IS NOT NULL
         WHERE named.program_id = $1 AND named.reference = 'cs_live_' || payment AND ${earned('sale_id', 'sale.id')} = 1) <> 1`,
      [service.program.id],
    )
    // paid_<payment>: the metadata states it as the merchant's invoice_id.
    await count(
      'payments of another processor are not exactly one sale with a commission',
      `SELECT FROM acknowledged WHERE name LIKE 'paid\\_%' AND
         (SELECT count(DISTINCT sale.id) FROM payment_reports stating JOIN payment_references named
           ON named.program_id = stating.program_id AND named.payment_id = stating.payment_id
         JOIN sales sale ON sale.program_id = named.program_id AND sale.invoice_id = named.reference AND sale.click_id IS NOT NULL
         WHERE stating.program_id = $1 AND stating.report->>'invoiceId' = name AND ${earned('sale_id', 'sale.id')} = 1) <> 1`,
      [service.program.id],
    )
  })

export const findMoneyFaults = async (benched: Acknowledged) => [
  ...(await findLeadFaults(benched)),
  ...(await findSaleFaults(benched)),
  ...(await findWebhookFaults(benched)),
]
