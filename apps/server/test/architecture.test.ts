import { describe, expect, test } from 'bun:test'
import { dirname, relative, resolve } from 'node:path'
import { Glob } from 'bun'

const SRC = resolve(import.meta.dir, '../src')

type File = { path: string; room: string; text: string; imports: string[] }

const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g

const files: File[] = await Promise.all(
  [...new Glob('**/*.ts').scanSync(SRC)].map(async (path) => {
    const text = await Bun.file(`${SRC}/${path}`).text()
    const imports = [...text.matchAll(IMPORT)].map(([, name = '']) =>
      name.startsWith('.') ? relative(SRC, resolve(SRC, dirname(path), name)) : name,
    )
    return { path, room: path.includes('/') ? (path.split('/')[0] ?? '') : '', text, imports }
  }),
)

const ROOMS = [
  'programs',
  'partners',
  'customers',
  'sales',
  'events',
  'accounts',
  'visitors',
  'money',
  'audit',
  'explain',
  'payments',
  'mail',
]
const roomOf = (path: string) => (path.includes('/') ? path.split('/')[0] : path)

/** Lists what breaks a rule, so that the failure names the file. */
const offenders = (of: (file: File) => boolean, breaks: (imported: string, file: File) => boolean) =>
  files
    .filter(of)
    .flatMap((file) =>
      file.imports.filter((imported) => breaks(imported, file)).map((imported) => `${file.path} → ${imported}`),
    )

describe('the arrows of the architecture', () => {
  test('were read from files that exist', () => {
    expect(files.length).toBeGreaterThan(50)
    for (const room of ['http', 'tracking', 'attribution', 'database', ...ROOMS])
      expect(files.some((file) => file.room === room)).toBe(true)
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(200)
  })

  test('nothing below http knows Hono', () => {
    const above = (file: File) => file.room !== 'http' && !['app.ts', 'listen.ts'].includes(file.path)
    expect(
      offenders(
        above,
        (imported) => imported === 'hono' || imported.startsWith('hono/') || imported.startsWith('http/'),
      ).filter((line) => !line.startsWith('compose.ts')),
    ).toEqual([])
  })

  test('the routes of partners and of strangers share what lies above both, and not each other', () => {
    const sides = ['http/portal/', 'http/public/']
    expect(
      offenders(
        ({ path }) => sides.some((side) => path.startsWith(side)),
        (imported, { path }) => sides.some((side) => imported.startsWith(side) && !path.startsWith(side)),
      ),
    ).toEqual([])
  })

  test('nothing outside accounts and http/session knows better-auth', () => {
    const outside = (file: File) =>
      file.room !== 'accounts' && !file.path.startsWith('http/session/') && file.room !== 'demo'
    expect(offenders(outside, (imported) => imported.startsWith('better-auth'))).toEqual([])
  })

  test('nothing outside processor and http/processor knows Stripe', () => {
    const outside = (file: File) => file.room !== 'processor' && !file.path.startsWith('http/processor/')
    expect(offenders(outside, (imported) => imported === 'stripe' || imported.startsWith('stripe/'))).toEqual([])
    // Its client is used where its words are translated, and nowhere else: another processor would be a sibling folder.
    const elsewhere = (file: File) => !file.path.startsWith('processor/stripe/')
    expect(offenders(elsewhere, (imported) => imported === 'stripe')).toEqual([])
    expect(files.some(({ path }) => path.startsWith('processor/stripe/'))).toBe(true)
  })

  test('nothing outside mail knows the mail library', () => {
    expect(
      offenders(
        ({ room }) => room !== 'mail',
        (imported) => imported.startsWith('nodemailer'),
      ),
    ).toEqual([])
  })

  test('http/processor → processor → tracking, and nothing of these knows who calls it', () => {
    const upwards = (imported: string) => imported.startsWith('http/') || imported.startsWith('processor/')
    const below = (file: File) => [...ROOMS, 'tracking', 'attribution', 'payments', 'database'].includes(file.room)
    expect(offenders(below, upwards)).toEqual([])
  })

  test('rooms import neither each other nor the stories: only stories bring them together', () => {
    const isOther = (imported: string, { room }: File) =>
      [...ROOMS, 'tracking', 'attribution'].includes(roomOf(imported) ?? '') && roomOf(imported) !== room
    const types = offenders((file) => ROOMS.includes(file.room), isOther)
    // A type is a word, not a dependency at run time.
    const values = types.filter((line) => {
      const [path = '', imported = ''] = line.split(' → ')
      const file = files.find((each) => each.path === path)
      const name = imported.split('/').at(-1) ?? ''
      return !new RegExp(`import type [^\\n]*${name.replace('.', '\\.')}'`).test(file?.text ?? '')
    })
    expect(values).toEqual([])
  })

  test('pure rooms import nothing with side effects', () => {
    expect(
      offenders(
        ({ room }) => room === 'attribution',
        (imported) => imported !== '@tributary/contract' && roomOf(imported) !== 'attribution',
      ),
    ).toEqual([])
  })

  test('only config reads the environment', () => {
    expect(
      files
        .filter(({ text }) => /process\.env|Bun\.env|import\.meta\.env/.test(text))
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual([
      'commands/backup.ts',
      'commands/processor-reconcile.ts',
      'commands/processor-replay.ts',
      'commands/restore.ts',
      'commands/verify-ledger.ts',
      'main.ts',
    ])
  })

  test('only rooms, stories and the database folder speak SQL', () => {
    const speaks = ({ text }: File) => /\.(insertInto|updateTable|deleteFrom|selectFrom)\(|sql`|sql</.test(text)
    const allowed = [...ROOMS, 'tracking', 'processor', 'database', 'demo']
    expect(files.filter((file) => speaks(file) && !allowed.includes(file.room)).map(({ path }) => path)).toEqual([])
  })
})

describe('every table has one writer', () => {
  /** The click statement is the one exception: three tables in one round trip. */
  const OWNERS: Record<string, string[]> = {
    programs: ['programs/programs.ts'],
    apiKeys: ['programs/api-keys.ts'],
    partners: ['partners/partners.ts'],
    referralLinks: ['partners/referral-links.ts'],
    customers: ['customers/customers.ts', 'tracking/click-statement.ts'],
    partnerUsers: ['partners/partner-users.ts'],
    partnerInvitations: ['partners/partner-invitations.ts'],
    partnerPayoutDetails: ['partners/payout-details.ts'],
    customerKeys: ['customers/customers.ts'],
    leads: ['customers/leads.ts'],
    sales: ['sales/sales.ts'],
    clickEvents: ['tracking/click-statement.ts', 'database/retention.ts', 'events/forget-clicks.ts'],
    clickRetention: ['database/retention.ts'],
    dailyCounts: ['events/daily-counts.ts', 'tracking/click-statement.ts'],
    testEvents: ['events/test-events.ts'],
    dailyBreakdowns: ['events/add-facts.ts', 'events/fold-days.ts', 'events/roll-up.ts'],
    dailyMoney: ['events/add-facts.ts', 'events/fold-days.ts'],
    rollUps: ['events/roll-up.ts', 'events/roll-up-marks.ts', 'events/sum-periods.ts'],
    periodCounts: ['events/period-sums.ts'],
    periodMoney: ['events/period-sums.ts'],
    rankings: ['events/rankings.ts'],
    openDays: ['events/open-days.ts'],
    rewardTerms: ['money/reward-terms.ts'],
    commissions: ['money/commissions.ts'],
    partnerAccounts: ['money/ledger.ts'],
    ledgerLines: ['money/ledger.ts'],
    ledgerBlocks: ['money/seal.ts'],
    ledgerBlockLines: ['money/seal.ts'],
    refunds: ['money/refunds.ts'],
    disputes: ['money/disputes.ts'],
    commissionReviews: ['money/reviews.ts'],
    payouts: ['money/payouts.ts'],
    payoutLines: ['money/payout-lines.ts', 'money/payouts.ts'],
    payoutCommissions: ['money/payouts.ts'],
    auditEntries: ['audit/audit-log.ts'],
    decisions: ['explain/decisions.ts'],
    payments: ['payments/payments.ts'],
    paymentReferences: ['payments/payments.ts'],
    paymentReports: ['payments/payment-reports.ts'],
    processorRefunds: ['money/refunds.ts'],
    processorConnections: ['programs/processor-connections.ts'],
    processorHomes: ['processor/homes.ts'],
    processorAccounts: ['processor/accounts.ts'],
    processorEvents: ['processor/inbox.ts'],
    processorStrays: ['processor/strays.ts'],
  }
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

  for (const [table, owners] of Object.entries(OWNERS))
    test(table, () => {
      const writes = new RegExp(
        `(insertInto|updateTable|deleteFrom)\\('${table}'\\)|\\b(INSERT INTO|UPDATE|DELETE FROM) ${snake(table)}\\b`,
      )
      const writers = files.filter((file) => file.room !== 'demo' && writes.test(file.text)).map(({ path }) => path)
      expect(writers.toSorted()).toEqual(owners.toSorted())
    })
})
