import { expect, test } from 'bun:test'
import { startTestService } from './support/service.ts'

const service = await startTestService()

/** Tables that could be distributed by program. The others are small and not distributed. */
const TRACKING = [
  'customers',
  'customer_keys',
  'customer_emails',
  'saved_views',
  'click_events',
  'daily_counts',
  'leads',
  'erased_customers',
  'idempotency_keys',
  'sales',
  'test_events',
  'reward_terms',
  'reward_backfills',
  'commissions',
  'partner_accounts',
  'refunds',
  'disputes',
  'commission_reviews',
  'adjustments',
  'adjustment_reversals',
  'payouts',
  'payout_lines',
  'payout_commissions',
  'payout_schedules',
  'payout_drafts',
  'payout_draft_lines',
  'payout_statements',
  'payout_statement_items',
  'payout_statement_numbers',
  'program_legal_details',
  'partner_legal_details',
  'ledger_lines',
  'ledger_blocks',
  'ledger_block_lines',
  'decisions',
  'payments',
  'payment_references',
  'payment_reports',
  'processor_refunds',
  'processor_events',
  'partners',
  'daily_breakdowns',
  'daily_money',
  'roll_ups',
  'changed_days',
  'daily_conversions',
  'weekly_clicks',
  'hourly_clicks',
  'hourly_partner_clicks',
  'daily_refunds',
  'refunded_days',
  'first_sales',
  'daily_customers',
  'daily_conversion_times',
  'partner_groups',
  'partner_group_changes',
  'partner_invitations',
  'partner_payout_details',
  'partner_former_codes',
  'partner_destination_holds',
  'program_branding',
  'program_agreements',
  'agreement_acceptances',
  'program_resources',
  'application_forms',
  'partner_applications',
  'notifications',
  'notification_recipients',
  'notification_preferences',
  'outbox_events',
  'outbox_heads',
  'outbox_payable',
  'webhook_endpoints',
  'webhook_deliveries',
  'webhook_attempts',
]
const APART = [
  'users',
  'sessions',
  'credentials',
  'verifications',
  'two_factors',
  'workspaces',
  'members',
  'invitations',
  'programs',
  'api_keys',
  'processor_connections',
  'processor_home_programs',
  'processor_accounts',
  'processor_unassigned_events',
  'referral_links',
  'instance_secrets',
  'readiness',
  'click_retention',
  'demo_seed',
  'partner_users',
  // Also holds workspace entries.
  'audit_entries',
]

type Key = { table_name: string; constraint_name: string; columns: string[] }

const keys = async () => {
  const { rows } = await service.pool.query<Key>(`
    SELECT class.relname AS table_name, index_class.relname AS constraint_name,
      array_agg(attribute.attname::text ORDER BY position.ordinality) AS columns
    FROM pg_index index
    JOIN pg_class class ON class.oid = index.indrelid
    JOIN pg_class index_class ON index_class.oid = index.indexrelid
    CROSS JOIN LATERAL unnest(index.indkey::smallint[]) WITH ORDINALITY position(attnum, ordinality)
    JOIN pg_attribute attribute ON attribute.attrelid = class.oid AND attribute.attnum = position.attnum
    WHERE index.indisunique AND class.relnamespace = 'public'::regnamespace AND class.relispartition = false
    GROUP BY 1, 2`)
  return rows
}

test('every table is listed as distributed by program or as not distributed', async () => {
  const { rows } = await service.pool.query<{ relname: string }>(`
    SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT LIKE 'kysely%' ORDER BY relname`)
  const unknown = rows.map(({ relname }) => relname).filter((name) => ![...TRACKING, ...APART].includes(name))
  expect(unknown).toEqual([])
  expect(rows.length).toBeGreaterThan(15)
})

test('program_id comes first in every primary and unique key of the tracking tables', async () => {
  const all = (await keys()).filter(({ table_name }) => TRACKING.includes(table_name))
  expect(all.length).toBeGreaterThanOrEqual(TRACKING.length)
  expect(all.filter(({ columns }) => columns[0] !== 'program_id')).toEqual([])
  for (const table of TRACKING) expect(all.some(({ table_name }) => table_name === table)).toBe(true)
})

test('program_id is in every foreign key between tracking tables', async () => {
  const { rows } = await service.pool.query<{ source: string; target: string; columns: string[] }>(`
    SELECT source.relname AS source, target.relname AS target,
      (SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = source.oid AND attnum = ANY (conkey)) AS columns
    FROM pg_constraint JOIN pg_class source ON source.oid = conrelid JOIN pg_class target ON target.oid = confrelid
    WHERE contype = 'f' AND NOT source.relispartition`)
  const tracking = rows.filter(({ source }) => TRACKING.includes(source))
  expect(tracking.length).toBeGreaterThan(3)
  expect(tracking.filter(({ columns }) => !columns.includes('program_id'))).toEqual([])
})

test('there are no triggers: a cluster rejects them on distributed tables', async () => {
  const { rows } = await service.pool.query('SELECT tgname FROM pg_trigger WHERE NOT tgisinternal')
  expect(rows).toEqual([])
})

test('links, partners, programs and keys have no counter columns', async () => {
  const { rows } = await service.pool.query(`
    SELECT table_name, column_name FROM information_schema.columns
    WHERE table_name IN ('programs', 'partners', 'referral_links', 'api_keys') AND column_name IN ('clicks', 'leads', 'sales', 'last_clicked')`)
  expect(rows).toEqual([])
})

test('every money column is an integer', async () => {
  const { rows } = await service.pool.query(`
    SELECT table_name, column_name, data_type FROM information_schema.columns
    WHERE table_schema = 'public' AND (data_type IN ('real', 'double precision', 'money') OR (column_name LIKE '%cents' AND data_type <> 'bigint'))`)
  expect(rows).toEqual([])
})

test('no index on customer records covers a column that clicks or leads update, so updates stay HOT', async () => {
  const { rows } = await service.pool.query(`SELECT indexdef FROM pg_indexes WHERE tablename = 'customers'`)
  expect(rows).toEqual([
    { indexdef: 'CREATE UNIQUE INDEX customers_pkey ON public.customers USING btree (program_id, click_id)' },
  ])
})
