/** A realistic body for each call that takes one. A test validates them against the contract. */
export const EXAMPLE_BODIES: Record<string, object> = {
  'post /api/v1/track/click': {
    affiliate_url: 'https://shop.example/?aff=maya',
    page_title: 'Pricing',
    referrer_url: 'https://blog.example/best-tools',
  },
  'post /api/v1/track/lead': { customer_key: 'user_42', click_id: '1_0mhk2x9a4…', email: 'ada@example.com' },
  'post /api/v1/track/sale': { customer_key: 'user_42', amount: 4900, invoice_id: 'inv_1001' },
  'post /api/auth/sign-up/email': { name: 'Ada', email: 'ada@example.com', password: 'at least 8 characters' },
  'post /api/auth/sign-in/email': { email: 'ada@example.com', password: 'at least 8 characters' },
  'post /api/auth/update-user': { name: 'Ada Lovelace' },
  'post /api/auth/change-password': { currentPassword: 'the old password', newPassword: 'a new long password' },
  'post /api/auth/request-password-reset': { email: 'ada@example.com' },
  'post /api/auth/reset-password': { token: 'from the mail', newPassword: 'a new long password' },
  'post /api/auth/revoke-session': { token: 'from list-sessions' },
  'post /api/auth/sign-in/link': { email: 'ada@example.com' },
  'post /api/auth/sign-in/link/confirm': { token: 'from the mail' },
  'post /api/auth/sign-in/oidc': { next: '/programs/1' },
  'post /api/auth/two-factor/verify': { code: '123456' },
  'post /api/auth/two-factor/enable': { password: 'at least 8 characters' },
  'post /api/auth/two-factor/confirm': { code: '123456' },
  'post /api/auth/two-factor/recovery-codes': { password: 'at least 8 characters', code: '123456' },
  'post /api/auth/two-factor/disable': { password: 'at least 8 characters', code: '123456' },
  'post /api/workspaces': { name: 'Acme' },
  'put /api/workspaces/{workspaceId}/security': { requireTwoFactor: true },
  'patch /api/workspaces/{workspaceId}/members/{memberId}': { role: 'admin' },
  'post /api/workspaces/{workspaceId}/invitations': { email: 'ada@example.com', role: 'member' },
  'post /api/programs': {
    name: 'Acme partners',
    currency: 'USD',
    timezone: 'Europe/Berlin',
    reward: { sale: { percentBps: 2000, duration: 'lifetime' } },
  },
  'patch /api/programs/{programId}': { cookieWindowDays: 90 },
  'post /api/programs/{programId}/customers/erase': { customerKey: 'user_42' },
  'post /api/programs/{programId}/api-keys': { name: 'Shop server' },
  'post /api/programs/{programId}/api-keys/{keyId}/rotate': { graceMinutes: 60 },
  'post /api/programs/{programId}/reward/preview': {
    reward: { sale: { percentBps: 2000, duration: 'lifetime' } },
    amountCents: 4900,
  },
  'post /api/programs/{programId}/reward/backtest': {
    terms: { sale: { percentBps: 3000, duration: 'months', months: 12 } },
    from: '2026-08-01',
    to: '2026-10-31',
  },
  'put /api/programs/{programId}/branding': {
    displayName: 'Acme partners',
    description: 'Recommend Acme and earn 20%.',
    accentColor: '#0e7490',
    supportEmail: 'partners@acme.example',
  },
  'put /api/programs/{programId}/agreement': { text: '# Partner agreement\n\n- No ads on our brand name.' },
  'post /api/programs/{programId}/resources/texts': { title: 'Short post', body: 'I use Acme every day: {link}' },
  'patch /api/programs/{programId}/resources/{resourceId}': { title: 'Launch post' },
  'put /api/programs/{programId}/application-form': {
    questions: [{ id: 'website', label: 'Where will you promote us?', kind: 'url', required: true }],
    autoApprove: { match: 'any', emailDomains: ['agency.example'] },
  },
  'post /api/programs/{programId}/applications/decide': {
    partnerIds: [1],
    decision: 'approved',
    message: 'Welcome aboard!',
  },
  'post /api/programs/{programId}/notifications/read': { ids: [12, 13] },
  'put /api/programs/{programId}/notifications/preferences': {
    kinds: [{ kind: 'application_received', mail: false, app: true }],
  },
  'post /api/programs/{programId}/notifications/test': { kind: 'payout_sent' },
  'post /api/portal/programs/{programId}/notifications/read': { ids: [12] },
  'put /api/portal/programs/{programId}/notifications/preferences': { summary: 'weekly' },
  'post /api/public/applications/confirm': { token: '1_kT5w0m9cQvF2nXb7hJ4yR8sLdZ3aGpEu' },
  'post /api/portal/invitations/{invitationId}/accept': {},
  'post /api/portal/programs/{programId}/apply': {},
  'post /api/portal/programs/{programId}/agreement/accept': { version: 1 },
  'post /api/programs/{programId}/partners': { name: 'Maya Lindqvist', email: 'maya@example.com', status: 'approved' },
  'patch /api/programs/{programId}/partners/{partnerId}': { status: 'suspended' },
  'post /api/programs/{programId}/groups': {
    name: 'Gold',
    landingPages: ['https://shop.example/partners'],
    tierRule: { after: { sales: 50 }, within: 'quarter', moveTo: 3 },
  },
  'patch /api/programs/{programId}/groups/{groupId}': {
    tierRule: { after: { amountCents: 500000, currency: 'USD' }, within: 'year', moveTo: 3 },
  },
  'put /api/programs/{programId}/groups/{groupId}/reward': { sale: { percentBps: 3000, duration: 'lifetime' } },
  'post /api/programs/{programId}/groups/{groupId}/partners': { partnerIds: [1, 2] },
  'post /api/programs/{programId}/partners/{partnerId}/invite': { email: 'maya@example.com' },
  'post /api/public/partner-invitations/{invitationId}/sign-up': {
    name: 'Maya Lindqvist',
    password: 'at least 8 characters',
  },
  'post /api/public/programs/{programId}/apply': {
    name: 'Maya Lindqvist',
    email: 'maya@example.com',
    password: 'at least 8 characters',
  },
  'post /api/portal/programs/{programId}/links': { destinationUrl: 'https://shop.example/pricing' },
  'put /api/portal/programs/{programId}/payout-details': {
    method: 'paypal',
    account: 'maya@example.com',
    holder: 'Maya Lindqvist',
  },
  'post /api/programs/{programId}/links': { partnerId: 1, aff: 'maya', destinationUrl: 'https://shop.example/' },
  'post /api/programs/{programId}/views': {
    list: 'sales',
    name: 'Not credited this year',
    shared: true,
    search: { state: 'uncredited', dateFrom: '2026-01-01', sort: '-amountCents' },
  },
  'patch /api/programs/{programId}/links': { ids: [1, 2], active: false },
  'patch /api/programs/{programId}/links/{linkId}': { active: false },
  'post /api/v1/track/refund': { invoice_id: 'inv_1001', amount: 1500, refund_id: 're_1' },
  'put /api/programs/{programId}/reward': { sale: { percentBps: 2000, duration: 'months', months: 12 }, holdDays: 30 },
  'put /api/programs/{programId}/partners/{partnerId}/reward': { sale: { percentBps: 3000, duration: 'lifetime' } },
  'post /api/programs/{programId}/commissions/{commissionId}/review': {
    decision: 'released',
    reason: 'A real customer',
  },
  'post /api/programs/{programId}/commissions/{commissionId}/void': { reason: 'Paid search on our brand name' },
  'post /api/programs/{programId}/adjustments': {
    type: 'bonus',
    partnerId: 1,
    amountCents: 5_000,
    reason: 'Best partner of the month',
  },
  'post /api/programs/{programId}/adjustments/preview': {
    type: 'move',
    saleId: 1,
    partnerId: 2,
    reason: 'The customer used the code of another partner',
  },
  'post /api/programs/{programId}/adjustments/{adjustmentId}/reverse': { reason: 'Added to the wrong partner' },
  'post /api/programs/{programId}/payouts': { excludePartnerIds: [2] },
  'patch /api/programs/{programId}/payouts/{payoutId}': { note: 'October commissions', reference: 'PO-2026-11' },
  'put /api/programs/{programId}/payouts/schedule': { frequency: 'monthly', day: 1 },
  'post /api/programs/{programId}/payouts/drafts/{draftId}/confirm': { note: 'November commissions' },
  'put /api/programs/{programId}/legal-details': {
    legalName: 'Acme GmbH',
    address: '1 Example Street\n10115 Berlin\nGermany',
    taxId: 'DE123456789',
    email: 'billing@acme.example',
    selfBilling: true,
  },
  'put /api/portal/programs/{programId}/legal-details': {
    name: 'Maya Lindqvist',
    address: '2 Example Lane\n11122 Stockholm\nSweden',
    taxId: 'SE123456789001',
  },
  'post /api/programs/{programId}/payouts/{payoutId}/export': { format: 'csv' },
  'post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}': { status: 'paid', reference: 'PAYID-7F3K2' },
  'post /api/v1/processor/webhook': { id: 'evt_1', object: 'event', type: 'invoice.paid' },
  'post /api/v1/processor/webhook/{programId}': { id: 'evt_1', object: 'event', type: 'invoice.paid' },
  'put /api/programs/{programId}/processor': { webhookSecret: 'whsec_9f2k4m7q1' },
  'post /api/programs/{programId}/processor/replay': { since: '2026-11-01', dryRun: true },
}

const SIGN_OUT = '/api/auth/sign-out'
const PATH_VALUES: Record<string, string> = {
  programId: '1',
  partnerId: '1',
  groupId: '2',
  linkId: '1',
  commissionId: '1',
  payoutId: '1',
  lineId: '1',
  resourceId: '1',
  draftId: '1',
}

type Call = {
  method: string
  path: string
  credential: 'none' | 'key' | 'session'
  takes: 'json' | 'file' | null
  baseUrl: string
}

/** The call as a curl command. Values to fill in are shell variables. */
export const curlFor = ({ method, path, credential, takes, baseUrl }: Call) => {
  const body = EXAMPLE_BODIES[`${method} ${path}`]
  const address = baseUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => PATH_VALUES[name] ?? shellVariable(name))
  const verb = method === 'get' || (method === 'post' && takes) ? '' : `-X ${method.toUpperCase()} `
  return [
    `curl ${verb}"${address}"`,
    ...(credential === 'key' ? ['-H "authorization: Bearer $API_KEY"'] : []),
    ...(credential === 'session' || path === SIGN_OUT ? ['-b cookies.txt'] : []),
    // Sign-up and sign-in set the session cookie.
    ...(path.endsWith('/email') ? ['-c cookies.txt'] : []),
    ...(takes === 'file' ? ['--data-binary @FILE'] : []),
    ...(takes === 'json'
      ? ["-H 'content-type: application/json'", `-d '${JSON.stringify(body ?? {}, null, 2).replaceAll('\n', '\n  ')}'`]
      : []),
  ].join(' \\\n  ')
}

/** `workspaceId` becomes `$WORKSPACE_ID`. */
const shellVariable = (name: string) => `$${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
