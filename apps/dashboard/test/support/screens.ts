/** A screen as the tests visit it. `$names` in the path and title are replaced by test data. */
export type Screen = {
  /** The router's path. */
  route: string
  title: string
  query?: string
  /** The API call it loads, if any. */
  api?: RegExp
  /** The heading of the card that loads it, on a screen with several. Otherwise the whole content may show its states. */
  within?: string
  /** Other screens load the same data, so it may already be cached. */
  isLoadedElsewhere?: true
  /** The heading of its empty state, if it has one. */
  empty?: string
}

const PROGRAM = '/programs/$programId'

export const PUBLIC_SCREENS: Screen[] = [
  { route: '/sign-in', title: 'Sign in' },
  { route: '/sign-in/link', query: '?token=from-a-mail', title: 'Sign in to Tributary' },
  { route: '/sign-up', title: 'Create $which account' },
  { route: '/forgot-password', title: 'Reset your password' },
  { route: '/reset-password', query: '?token=from-a-mail', title: 'Choose a new password' },
  { route: '/invite/$invitationId', title: 'Join $workspaceName', api: /\/api\/invitations\// },
]

export const MERCHANT_SCREENS: Screen[] = [
  { route: '/account', title: 'Account settings', api: /list-sessions/ },
  { route: '/account/email', query: '?step=approve&token=from-a-mail', title: 'Approve your new email address' },
  { route: '/welcome', title: 'Create a program' },
  { route: PROGRAM, title: 'Overview', api: /\/tracking\/performance\//, empty: 'No clicks yet' },
  { route: `${PROGRAM}/analytics`, title: 'Analytics', api: /\/analytics\?/, isLoadedElsewhere: true },
  { route: `${PROGRAM}/sales/events`, title: 'Events', api: /\/tracking\/events\/\d+\?/, empty: 'No events yet' },
  { route: `${PROGRAM}/sales/customers`, title: 'Customers', api: /\/customers\?/, empty: 'No customers yet' },
  { route: `${PROGRAM}/sales/customers/$customerId`, title: '$customerKey', api: /\/customers\/[^/?]+$/ },
  { route: `${PROGRAM}/sales`, title: 'Sales', api: /\/sales\?/, empty: 'No sales yet' },
  { route: `${PROGRAM}/sales/$saleId`, title: 'Sale $invoiceId', api: /\/sales\/\d+$/ },
  { route: `${PROGRAM}/sales/leads/$leadId`, title: 'Lead $customerKey', api: /\/leads\/\d+\/explain/ },
  {
    route: `${PROGRAM}/sales/check-attribution`,
    query: '?name=unknown',
    title: 'Check attribution',
    api: /\/explain\?/,
  },
  { route: `${PROGRAM}/partners`, title: 'Partners', api: /\/partners\?/, empty: 'No partners yet' },
  {
    route: `${PROGRAM}/partners/applications`,
    title: 'Applications',
    api: /\/partners\?/,
    empty: 'No applications to decide',
  },
  { route: `${PROGRAM}/partners/$partnerId`, title: '$partnerName', api: /\/partners\/\d+$/ },
  { route: `${PROGRAM}/links`, title: 'Links', api: /\/links\?/, empty: 'No links yet' },
  { route: `${PROGRAM}/links/codes`, title: 'Codes', api: /\/codes\?/, empty: 'No codes yet' },
  { route: `${PROGRAM}/resources`, title: 'Resources', api: /\/resources$/, empty: 'No resources yet' },
  { route: `${PROGRAM}/set-up`, title: 'Setup', api: /\/set-up$/, isLoadedElsewhere: true },
  { route: `${PROGRAM}/commissions`, title: 'Commissions', api: /\/commissions\?/, empty: 'No commissions yet' },
  {
    route: `${PROGRAM}/commissions/adjustments`,
    title: 'Adjustments',
    api: /\/adjustments\?/,
    empty: 'No adjustments yet',
  },
  { route: `${PROGRAM}/payouts`, title: 'Payouts', api: /\/balances\?/, empty: 'No balances yet' },
  { route: `${PROGRAM}/payouts/$payoutId`, title: 'Payout $payoutId', api: /\/payouts\/\d+$/ },
  { route: `${PROGRAM}/payouts/draft`, title: 'Payout draft', api: /\/payouts\/draft$/, empty: 'No draft to review' },
  { route: `${PROGRAM}/payouts/$payoutId/statements/$lineId`, title: 'Statement', api: /\/lines\/\d+\/statement$/ },
  { route: `${PROGRAM}/settings/details`, title: 'Details' },
  { route: `${PROGRAM}/settings/tracking`, title: 'Tracking' },
  {
    route: `${PROGRAM}/settings/rewards`,
    title: 'Rewards',
    api: /\/reward$/,
    isLoadedElsewhere: true,
    empty: 'No changes yet',
  },
  { route: `${PROGRAM}/partners/groups`, title: 'Groups', api: /\/groups$/, isLoadedElsewhere: true },
  { route: `${PROGRAM}/settings/branding`, title: 'Branding', api: /\/branding$/ },
  { route: `${PROGRAM}/settings/applications`, title: 'Applications', api: /\/application-form$/ },
  { route: `${PROGRAM}/settings/agreement`, title: 'Agreement', api: /\/agreement$/ },
  { route: `${PROGRAM}/settings/legal-details`, title: 'Legal details', api: /\/legal-details$/ },
  { route: `${PROGRAM}/settings/notifications`, title: 'Notifications', api: /\/notifications\/previews$/ },
  { route: `${PROGRAM}/settings/api-keys`, title: 'API keys', api: /\/api-keys\?/, empty: 'No API keys yet' },
  {
    route: `${PROGRAM}/settings/webhooks`,
    title: 'Webhooks',
    api: /\/webhook-endpoints$/,
    empty: 'No endpoints yet',
  },
  { route: `${PROGRAM}/settings/payment-processors`, title: 'Payment processors', api: /\/processors$/ },
  {
    route: `${PROGRAM}/settings/events-received`,
    title: 'Events received',
    api: /\/processor\/events\?/,
    empty: 'No events yet',
  },
  { route: `${PROGRAM}/settings/team`, title: 'Team', api: /\/members\?/ },
  { route: `${PROGRAM}/settings/security`, title: 'Security' },
  { route: `${PROGRAM}/settings/audit-log`, title: 'Audit log', api: /\/audit\?/ },
  { route: `${PROGRAM}/settings/exports`, title: 'Exports' },
]

const PORTAL = '/portal/$programId'

export const PARTNER_PUBLIC_SCREENS: Screen[] = [
  { route: '/portal/invite/$invitationId', title: 'Join $programName', api: /\/partner-invitations\// },
  { route: '/apply/$programId', title: 'Join $programName', api: /\/api\/public\/programs\// },
  { route: '/apply/confirm/$token', title: 'Confirm your email address' },
]

export const PORTAL_SCREENS: Screen[] = [
  { route: '/portal/programs', title: 'Your programs', api: /\/portal\/balances$/ },
  { route: PORTAL, title: 'Hello, Partner', api: /\/overview\?/ },
  { route: `${PORTAL}/links`, title: 'Links', api: /\/links\?/, isLoadedElsewhere: true, empty: 'No links yet' },
  { route: `${PORTAL}/sales`, title: 'Sales', api: /\/sales\?/, empty: 'No sales yet' },
  { route: `${PORTAL}/earnings`, title: 'Commissions', api: /\/earnings\?/, empty: 'No commissions yet' },
  { route: `${PORTAL}/payouts`, title: 'Payouts', api: /\/payouts\?/, empty: 'No payouts yet' },
  { route: `${PORTAL}/resources`, title: 'Resources', api: /\/resources$/, empty: 'No resources yet' },
  { route: `${PORTAL}/notifications`, title: 'Notifications', api: /\/notifications\/preferences$/ },
  { route: `${PORTAL}/agreement`, title: 'Program agreement', api: /\/agreement$/, empty: 'No agreement' },
  { route: `${PORTAL}/payouts/$lineId/statement`, title: 'Statement', api: /\/payouts\/\d+\/statement$/ },
]

/** For users who are not a partner of any program. */
export const NO_PARTNER: Screen = { route: '/portal', title: 'You are not a partner yet' }

export const EVERY_SCREEN = [
  ...PUBLIC_SCREENS,
  ...MERCHANT_SCREENS,
  ...PARTNER_PUBLIC_SCREENS,
  ...PORTAL_SCREENS,
  NO_PARTNER,
]

export type Names = Record<string, string | number>

/** "Sale $invoiceId" becomes "Sale INV-1". */
export const fillNames = (text: string, names: Names) =>
  text.replace(/\$(\w+)/g, (_, name: string) => {
    const value = names[name]
    if (value === undefined) throw new Error(`no test data for $${name}`)
    return String(value)
  })

export const screenPath = ({ route, query = '' }: Screen, names: Names) => fillNames(route + query, names)
