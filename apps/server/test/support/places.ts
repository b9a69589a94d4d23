/**
 * Where each table is when an instance has several databases (docs/decisions/0043): one directory, and any number of shards, each
 * with the programs of some workspaces. No statement and no foreign key may touch both; shard-boundary.test.ts enforces it.
 */

/** In a shard, with `program_id` first in every key. */
export const KEYED_BY_PROGRAM = [
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
  'partner_users',
  'processor_connections',
]

/** In a shard, with other keys. */
export const OTHER_SHARD_TABLES = [
  'programs',
  // A link may exist before it has a program, and `aff` is unique across programs.
  'referral_links',
  // Which of a workspace's programs stores its processor events.
  'processor_home_programs',
  // Also holds workspace entries.
  'audit_entries',
]

export const SHARD = [...KEYED_BY_PROGRAM, ...OTHER_SHARD_TABLES]

/** Who signs in, and the names that lead to a program before it is known: API keys, processor accounts. */
export const DIRECTORY = [
  'users',
  'sessions',
  'credentials',
  'verifications',
  'two_factors',
  'workspaces',
  'members',
  'invitations',
  'api_keys',
  'processor_accounts',
  // Events of accounts that no workspace has connected.
  'processor_unassigned_events',
  'demo_seed',
]

/** Every database has its own. */
export const IN_EACH_DATABASE = ['instance_secrets', 'readiness', 'click_retention']
