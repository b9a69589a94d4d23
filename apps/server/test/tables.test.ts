import { describe, expect, test } from 'bun:test'
import { type SourceFile, sourceFiles } from './support/source-files.ts'

/** Every table, its module, and the files that write it. */
const OWNERS: Record<string, Record<string, string[]>> = {
  programs: {
    programs: ['programs/programs.ts'],
    apiKeys: ['programs/api-keys.ts'],
    processorConnections: ['programs/processor-connections.ts'],
    programBranding: ['programs/branding.ts'],
    programAgreements: ['programs/agreements.ts'],
    programResources: ['programs/resources.ts'],
    applicationForms: ['programs/application-forms.ts'],
    programLegalDetails: ['programs/legal-details.ts'],
  },
  partners: {
    partners: ['partners/partners.ts'],
    partnerGroups: ['partners/groups.ts'],
    partnerGroupChanges: ['partners/group-changes.ts'],
    partnerFormerCodes: ['partners/former-codes.ts'],
    partnerCodes: ['partners/former-codes.ts'],
    promotionCodes: ['partners/promotion-codes.ts'],
    promotionCodePeriods: ['partners/promotion-codes.ts'],
    referralLinks: ['partners/referral-links.ts'],
    partnerUsers: ['partners/partner-users.ts'],
    partnerInvitations: ['partners/partner-invitations.ts'],
    partnerPayoutDetails: ['partners/payout-details.ts'],
    partnerDestinationHolds: ['partners/destination-holds.ts'],
    partnerApplications: ['partners/applications/applications.ts'],
    agreementAcceptances: ['partners/agreement-acceptances.ts'],
    partnerLegalDetails: ['partners/legal-details.ts'],
    partnerVisits: ['partners/partner-visits.ts'],
  },
  customers: {
    // The click statement is the one exception to a single writer: three tables in one round trip.
    customers: [
      'customers/customers.ts',
      'customers/purge-visitors.ts',
      'customers/store-address.ts',
      'tracking/clicks/write-clicks.ts',
    ],
    customerKeys: ['customers/customers.ts'],
    customerEmails: ['customers/customers.ts', 'customers/store-address.ts'],
    leads: ['customers/leads.ts'],
    payerMailboxes: ['customers/payer-mailboxes.ts'],
    erasedCustomers: ['customers/erased-customers.ts'],
  },
  sales: { sales: ['sales/sales.ts'] },
  tracking: { codeBackfills: ['tracking/sales/apply-code-to-earlier.ts'] },
  idempotency: { idempotencyKeys: ['idempotency/idempotency-keys.ts'] },
  events: {
    clickEvents: ['database/schema/retention.ts', 'events/forget-clicks.ts', 'tracking/clicks/write-clicks.ts'],
    clickRetention: ['database/schema/retention.ts'],
    changedDays: [
      'events/roll-up/changed-days.ts',
      'events/roll-up/roll-up-customers.ts',
      'events/roll-up/roll-up-days.ts',
    ],
    dailyConversionTimes: ['events/roll-up/roll-up-customers.ts'],
    dailyCustomers: ['events/roll-up/roll-up-customers.ts'],
    firstSales: ['events/roll-up/roll-up-customers.ts'],
    dailyConversions: ['events/roll-up/roll-up-days.ts'],
    dailyCounts: ['tracking/clicks/write-clicks.ts'],
    testEvents: ['events/purge-test-events.ts', 'events/test-events.ts'],
    dailyBreakdowns: [
      'events/roll-up/add-facts.ts',
      'events/roll-up/fold-days.ts',
      'events/roll-up/roll-up-days.ts',
      'events/roll-up/roll-up.ts',
    ],
    dailyMoney: ['events/roll-up/add-facts.ts', 'events/roll-up/fold-days.ts', 'events/roll-up/roll-up-days.ts'],
    rollUps: ['events/roll-up/roll-up-marks.ts', 'events/roll-up/roll-up.ts', 'events/roll-up/weekly-clicks.ts'],
    hourlyClicks: ['events/roll-up/hourly-clicks.ts'],
    hourlyPartnerClicks: ['events/roll-up/hourly-clicks.ts'],
    dailyRefunds: ['events/roll-up/roll-up-customers.ts'],
    refundedDays: ['events/roll-up/changed-days.ts', 'events/roll-up/roll-up-days.ts'],
    weeklyClicks: ['events/roll-up/weekly-clicks.ts'],
  },
  money: {
    rewardTerms: ['money/rewards/reward-terms.ts'],
    rewardBackfills: ['money/rewards/reward-backfills.ts'],
    commissions: ['money/commissions/commissions.ts'],
    partnerAccounts: ['money/ledger/ledger.ts'],
    ledgerLines: ['money/ledger/ledger.ts'],
    ledgerBlocks: ['money/ledger/seal.ts'],
    ledgerBlockLines: ['money/ledger/seal.ts'],
    refunds: ['money/commissions/refunds.ts'],
    processorRefunds: ['money/commissions/refunds.ts'],
    disputes: ['money/commissions/disputes.ts'],
    holdReleases: ['money/commissions/release-holds.ts'],
    commissionReviews: ['money/reviews/reviews.ts'],
    commissionLosses: ['money/commissions/losses.ts'],
    adjustments: ['money/adjustments/adjustments.ts'],
    adjustmentReversals: ['money/adjustments/adjustments.ts'],
    payouts: ['money/payouts/payouts.ts'],
    payoutLines: [
      'money/commissions/rebook.ts',
      'money/payouts/export-lines.ts',
      'money/payouts/payout-lines.ts',
      'money/payouts/payouts.ts',
    ],
    payoutCommissions: ['money/commissions/rebook.ts', 'money/payouts/payout-lines.ts', 'money/payouts/payouts.ts'],
    payoutSchedules: ['money/payouts/schedules.ts'],
    payoutDrafts: ['money/payouts/drafts.ts'],
    payoutDraftLines: ['money/payouts/drafts.ts'],
    payoutStatements: ['money/payouts/statements.ts'],
    payoutStatementVersions: ['money/payouts/statements.ts'],
    payoutStatementItems: ['money/payouts/statements.ts'],
    payoutStatementNumbers: ['money/payouts/statements.ts'],
  },
  audit: { auditEntries: ['audit/audit-log.ts'] },
  explain: { decisions: ['explain/decisions.ts'] },
  payments: {
    payments: ['payments/payments.ts'],
    paymentReferences: ['payments/payments.ts'],
    paymentReports: ['payments/payment-reports.ts', 'payments/payments.ts'],
    processorCustomers: ['payments/processor-customers.ts'],
    processorCodes: ['payments/payment-codes.ts'],
    paymentCodes: ['payments/payment-codes.ts', 'payments/payments.ts'],
  },
  processor: {
    processorHomePrograms: ['processor/inbox-programs.ts'],
    processorAccounts: ['processor/connections/accounts.ts'],
    processorEvents: ['processor/inbox.ts'],
    processorUnassignedEvents: ['processor/unassigned-events.ts'],
  },
  notifications: {
    notifications: ['notifications/inbox.ts', 'notifications/notify.ts'],
    notificationRecipients: ['notifications/inbox.ts', 'notifications/notify.ts', 'notifications/send-emails.ts'],
    notificationPreferences: ['notifications/preferences.ts'],
  },
  outbox: {
    outboxEvents: ['outbox/events.ts', 'outbox/forget-customer.ts', 'outbox/purge-events.ts', 'outbox/sequence.ts'],
    outboxEpochs: ['outbox/epochs.ts'],
    outboxHeads: ['outbox/payable-marks.ts', 'outbox/purge-events.ts', 'outbox/sequence.ts'],
    outboxPayable: ['outbox/payable-marks.ts'],
  },
  // better-auth writes these, under the names that accounts/auth.ts gives it; our SQL writes only what the files listed need.
  accounts: {
    users: ['accounts/email-changes.ts', 'accounts/sign-on.ts'],
    credentials: ['accounts/operator.ts', 'accounts/sign-on.ts'],
    sessions: ['accounts/operator.ts', 'accounts/partner-views.ts', 'accounts/sign-on.ts'],
    verifications: ['accounts/email-changes.ts', 'accounts/operator.ts'],
    twoFactors: ['accounts/operator.ts', 'accounts/second-factor.ts', 'accounts/two-factor-settings.ts'],
    workspaces: ['accounts/workspaces.ts'],
    members: [],
    invitations: ['accounts/operator.ts'],
  },
  database: { instanceSecrets: ['database/start/refuse-unsafe.ts'], readiness: ['database/start/readiness.ts'] },
  views: { savedViews: ['views/saved-views.ts'] },
  webhooks: {
    webhookEndpoints: ['webhooks/delivery/record.ts', 'webhooks/endpoints.ts'],
    webhookDeliveries: [
      'webhooks/create-deliveries.ts',
      'webhooks/deliveries.ts',
      'webhooks/delivery/claim.ts',
      'webhooks/delivery/record.ts',
      'webhooks/send-test.ts',
    ],
    webhookAttempts: ['webhooks/delivery/record.ts', 'webhooks/forget-responses.ts'],
  },
  demo: { demoSeed: ['demo/seed-demo.ts'] },
}

/**
 * Modules do not import each other, but one query with a join is better than a hundred without; so a module's SQL may
 * read the tables of another, and each such pair is listed here. Before changing a column, look here for its readers.
 */
const READS: Record<string, string[]> = {
  audit: [
    'adjustments',
    'commissions',
    'partnerGroups',
    'partners',
    'payoutLines',
    'programResources',
    'referralLinks',
    'sales',
    'savedViews',
    'webhookEndpoints',
    'promotionCodes',
  ],
  customers: [
    'clickEvents',
    'commissionReviews',
    'commissions',
    'disputes',
    'payoutCommissions',
    'payoutLines',
    'programs',
    'refunds',
    'rewardBackfills',
    'rewardTerms',
    'sales',
    'promotionCodes',
  ],
  database: [
    'adjustmentReversals',
    'adjustments',
    'clickEvents',
    'commissions',
    'customerEmails',
    'customerKeys',
    'customers',
    'disputes',
    'leads',
    'ledgerBlockLines',
    'ledgerBlocks',
    'ledgerLines',
    'outboxEvents',
    'partnerGroupChanges',
    'partnerGroups',
    'partnerPayoutDetails',
    'partners',
    'paymentReferences',
    'processorRefunds',
    'processorUnassignedEvents',
    'programs',
    'referralLinks',
    'refunds',
    'rewardBackfills',
    'rewardTerms',
    'rollUps',
    'sales',
    'users',
    'webhookDeliveries',
    'webhookEndpoints',
  ],
  events: [
    'adjustmentReversals',
    'adjustments',
    'commissions',
    'customers',
    'disputes',
    'leads',
    'outboxHeads',
    'partnerGroups',
    'partners',
    'processorRefunds',
    'programs',
    'referralLinks',
    'refunds',
    'sales',
  ],
  explain: [
    'adjustmentReversals',
    'adjustments',
    'commissionReviews',
    'commissions',
    'customerKeys',
    'customers',
    'leads',
    'partnerGroups',
    'partners',
    'payoutCommissions',
    'payoutLines',
    'programs',
    'referralLinks',
    'rewardBackfills',
    'rewardTerms',
    'sales',
    'testEvents',
    'promotionCodes',
  ],
  // ledger:verify recomputes balances and counts of clicks.
  money: [
    'clickEvents',
    'clickRetention',
    'customers',
    'dailyCounts',
    'decisions',
    'leads',
    'outboxPayable',
    'partnerGroupChanges',
    'partnerLegalDetails',
    'partners',
    'paymentReferences',
    'programLegalDetails',
    'programs',
    'sales',
  ],
  notifications: [
    'commissionReviews',
    'commissions',
    'dailyCounts',
    'members',
    'partnerAccounts',
    'partnerDestinationHolds',
    'partnerGroupChanges',
    'partnerPayoutDetails',
    'partnerUsers',
    'partners',
    'payoutDraftLines',
    'processorConnections',
    'processorEvents',
    'processorHomePrograms',
    'programs',
    'rewardBackfills',
    'rewardTerms',
  ],
  outbox: ['commissions', 'partners', 'programs'],
  partners: ['clickEvents', 'commissions', 'dailyCounts', 'programs', 'codeBackfills', 'leads', 'sales'],
  payments: ['customers', 'processorHomePrograms', 'programs', 'sales'],
  processor: ['paymentReports', 'processorRefunds', 'programs', 'refunds', 'sales'],
  sales: [
    'adjustments',
    'commissions',
    'customerKeys',
    'customers',
    'decisions',
    'disputes',
    'erasedCustomers',
    'leads',
    'processorRefunds',
    'refunds',
  ],
  views: ['customers', 'leads', 'partners', 'programs', 'referralLinks', 'sales', 'promotionCodes'],
  tracking: [
    'adjustments',
    'clickEvents',
    'commissionReviews',
    'commissions',
    'customers',
    'disputes',
    'erasedCustomers',
    'ledgerLines',
    'leads',
    'partnerGroupChanges',
    'partnerGroups',
    'partnerPayoutDetails',
    'partnerUsers',
    'partners',
    'processorRefunds',
    'programs',
    'referralLinks',
    'rewardTerms',
    'sales',
    'users',
    'promotionCodes',
    'promotionCodePeriods',
  ],
  webhooks: ['outboxEvents', 'partners', 'programs'],
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const writes = (table: string) =>
  new RegExp(
    `(insertInto|updateTable|deleteFrom)\\('${table}'\\)|\\b(INSERT INTO|UPDATE|DELETE FROM) ${snake(table)}\\b`,
  )
const reads = (table: string) =>
  new RegExp(`(selectFrom|[jJ]oin)\\(\\s*\\[?'${table}\\b|\\b(?<!DELETE )(FROM|JOIN|USING) ${snake(table)}\\b`)

const owned = Object.entries(OWNERS).flatMap(([module, tables]) =>
  Object.entries(tables).map(([table, writers]) => ({ module, table, writers })),
)
const isGenerated = ({ path }: SourceFile) => path === 'database/tables.ts'
/** The demo inserts weeks of invented data directly into the tables of all modules. */
const files = sourceFiles.filter((file) => !isGenerated(file))
const withoutDemo = files.filter(({ module }) => module !== 'demo')

test('every table of the schema belongs to a module', () => {
  const generated = sourceFiles.find(isGenerated)?.text.split('export interface DB {')[1] ?? ''
  const tables = [...generated.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name)
  expect(tables.length).toBeGreaterThan(40)
  const problem = 'Add new tables to OWNERS in tables.test.ts, with the files that write them.'
  expect(owned.map(({ table }) => table).toSorted(), problem).toEqual(tables.toSorted())
})

describe('every table has one writer', () => {
  for (const { module, table, writers } of owned)
    test(table, () => {
      const writing = (module === 'demo' ? files : withoutDemo).filter(({ text }) => writes(table).test(text))
      const problem = 'Only the files that OWNERS lists write this table.'
      expect(writing.map(({ path }) => path).toSorted(), problem).toEqual(writers.toSorted())
    })
})

describe('cross-module reads are listed', () => {
  for (const module of new Set(withoutDemo.map(({ module }) => module)))
    test(module || 'the top', () => {
      const texts = withoutDemo.filter((file) => file.module === module).map(({ text }) => text)
      const foreign = owned.filter(
        ({ module: owner, table }) => owner !== module && texts.some((text) => reads(table).test(text)),
      )
      const problem =
        'List the tables of other modules that this module reads in READS, or let the run combine both modules.'
      expect(foreign.map(({ table }) => table).toSorted(), problem).toEqual((READS[module] ?? []).toSorted())
    })
})
