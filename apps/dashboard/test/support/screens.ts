/** One screen as the tests visit it. `$names` in the address and in the title are filled in with what a test has made. */
export type Screen = {
  /** As the router names it. */
  route: string
  title: string
  query?: string
  /** What it loads; absent where there is nothing to load. */
  api?: RegExp
  /** Another screen loads the same, so whoever comes from there already has it. */
  isLoadedElsewhere?: true
  /** What it says while there is nothing; absent where there is always something. */
  empty?: string
}

const OF_PROGRAM = '/programs/$programId'

export const ENTRANCES: Screen[] = [
  { route: '/sign-in', title: 'Sign in' },
  { route: '/sign-up', title: 'Create $which account' },
  { route: '/forgot-password', title: 'Forgot your password?' },
  { route: '/reset-password', query: '?token=from-a-mail', title: 'Choose a new password' },
  { route: '/invite/$invitationId', title: 'Join $workspaceName', api: /\/api\/invitations\// },
]

export const MERCHANT_SCREENS: Screen[] = [
  { route: '/account', title: 'Your account', api: /list-sessions/ },
  { route: '/welcome', title: 'Name your workspace' },
  { route: OF_PROGRAM, title: 'Overview', api: /\/tracking\/performance\//, empty: 'No clicks yet' },
  { route: `${OF_PROGRAM}/events`, title: 'Events', api: /\/tracking\/events\/\d+\?/, empty: 'No events yet' },
  { route: `${OF_PROGRAM}/customers`, title: 'Customers', api: /\/customers\?/, empty: 'No customers yet' },
  { route: `${OF_PROGRAM}/customers/$customerId`, title: '$customerKey', api: /\/customers\/[^/?]+$/ },
  { route: `${OF_PROGRAM}/sales`, title: 'Sales', api: /\/sales\?/, empty: 'No sales yet' },
  { route: `${OF_PROGRAM}/sales/$saleId`, title: 'Sale $invoiceId', api: /\/sales\/\d+$/ },
  { route: `${OF_PROGRAM}/leads/$leadId`, title: 'Sign-up of $customerKey', api: /\/leads\/\d+\/explain/ },
  { route: `${OF_PROGRAM}/why`, query: '?name=$invoiceId', title: 'Why was this not credited?', api: /\/explain\?/ },
  { route: `${OF_PROGRAM}/processor`, title: 'Processor', api: /\/processor\/events\?/, empty: 'No events yet' },
  { route: `${OF_PROGRAM}/partners`, title: 'Partners', api: /\/partners\?/, empty: 'No partners yet' },
  { route: `${OF_PROGRAM}/partners/$partnerId`, title: '$partnerName', api: /\/partners\/\d+$/ },
  { route: `${OF_PROGRAM}/links`, title: 'Links', api: /\/links\?/, empty: 'No links yet' },
  { route: `${OF_PROGRAM}/set-up`, title: 'Set-up', api: /\/set-up$/ },
  { route: `${OF_PROGRAM}/commissions`, title: 'Commissions', api: /\/commissions\?/, empty: 'No commissions yet' },
  { route: `${OF_PROGRAM}/payouts`, title: 'Payouts', api: /\/balances\?/, empty: 'No balances yet' },
  { route: `${OF_PROGRAM}/payouts/$payoutId`, title: 'Payout $payoutId', api: /\/payouts\/\d+$/ },
  { route: `${OF_PROGRAM}/settings/program`, title: 'Program' },
  {
    route: `${OF_PROGRAM}/settings/rewards`,
    title: 'Rewards',
    api: /\/reward$/,
    isLoadedElsewhere: true,
    empty: 'No changes yet',
  },
  { route: `${OF_PROGRAM}/settings/api-keys`, title: 'API keys', api: /\/api-keys\?/, empty: 'No keys yet' },
  { route: `${OF_PROGRAM}/settings/team`, title: 'Team', api: /\/members\?/ },
  { route: `${OF_PROGRAM}/settings/audit`, title: 'Audit log', api: /\/audit\?/ },
  { route: `${OF_PROGRAM}/settings/exports`, title: 'Exports' },
]

const PORTAL = '/portal/$programId'

/** Before a partner is one. */
export const PARTNER_ENTRANCES: Screen[] = [
  { route: '/portal/invite/$invitationId', title: 'Join $programName', api: /\/partner-invitations\// },
  { route: '/apply/$programId', title: 'Join $programName', api: /\/api\/public\/programs\// },
]

export const PORTAL_SCREENS: Screen[] = [
  { route: PORTAL, title: 'Hello, Partner', api: /\/overview\?/ },
  { route: `${PORTAL}/links`, title: 'Links', api: /\/links\?/, isLoadedElsewhere: true, empty: 'No links yet' },
  { route: `${PORTAL}/sales`, title: 'Sales', api: /\/sales\?/, empty: 'No sales yet' },
  { route: `${PORTAL}/earnings`, title: 'Earnings', api: /\/earnings\?/, empty: 'Nothing earned yet' },
  { route: `${PORTAL}/payouts`, title: 'Payouts', api: /\/payouts\?/, empty: 'No payouts yet' },
]

/** Where somebody lands who is no partner of anybody. */
export const NO_PARTNER: Screen = { route: '/portal', title: 'You are not a partner yet' }

export const EVERY_SCREEN = [...ENTRANCES, ...MERCHANT_SCREENS, ...PARTNER_ENTRANCES, ...PORTAL_SCREENS, NO_PARTNER]

export type Names = Record<string, string | number>

/** "Sale $invoiceId" is "Sale INV-1". */
export const filled = (text: string, names: Names) =>
  text.replace(/\$(\w+)/g, (_, name: string) => {
    const value = names[name]
    if (value === undefined) throw new Error(`nobody has made a ${name}`)
    return String(value)
  })

export const addressOf = ({ route, query = '' }: Screen, names: Names) => filled(route + query, names)
