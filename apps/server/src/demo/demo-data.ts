/** The demo's program and partners. All names are made up; all domains are reserved (RFC 2606). */

export const DEMO_EMAIL = 'demo@tributary.example'
export const DEMO_NAME = 'Demo'
/** The code of the partner whose portal the demo has a sign-in for. */
export const PORTAL_PARTNER = 'maya'
/** The code of the partner who applied. Applicants have a sign-in. */
export const APPLICANT = 'priya'
export const PORTAL_PARTNER_EMAIL = 'maya@lindqvist.example'
export const WORKSPACE_NAME = 'Acme Analytics'

const SITE = 'https://acme-analytics.example'

export const PROGRAM = {
  name: 'Acme Partner Program',
  websites: [SITE],
  cookieWindowDays: 30,
  currency: 'USD',
  timezone: 'America/New_York',
  // The demo reports sales from its server; no payment processor is connected.
  paymentTrackingMode: 's2s' as const,
}

/** Days since the suspended partner was suspended. */
export const SUSPENDED_DAYS_AGO = 9

type Audience = 'readers' | 'subscribers' | 'viewers' | 'searchers' | 'bargain hunters'

export type DemoLink = {
  aff: string
  destinationUrl: string
  pageTitle: string
  /** New visitors on an average weekday at the end of the fourteen weeks. */
  visitors: number
  /** Percentage of visitors who become leads. */
  signUps: number
  audience: Audience
  /** Weekday (0 is Sunday) of a newsletter that brings most of the week's visitors. */
  sentOn?: number
  /** Days since the last click, because the link or its partner was disabled. */
  endedDaysAgo?: number
  active?: boolean
}

export type DemoPartner = {
  name: string
  email: string
  code: string
  status: 'approved' | 'pending' | 'suspended'
  joinedDaysAgo: number
  /** Null: the partner has not entered any, so payouts wait for them. */
  payTo: { method: 'bank' | 'paypal' | 'wise'; account: string } | null
  links: DemoLink[]
}

const HOME = { destinationUrl: `${SITE}/`, pageTitle: 'Acme Analytics: numbers you can act on' }
const PRICING = { destinationUrl: `${SITE}/pricing`, pageTitle: 'Pricing – Acme Analytics' }
const OFFER = { destinationUrl: `${SITE}/offer`, pageTitle: 'A month for free – Acme Analytics' }

export const PARTNERS: DemoPartner[] = [
  {
    name: 'Maya Lindqvist',
    email: PORTAL_PARTNER_EMAIL,
    code: PORTAL_PARTNER,
    status: 'approved',
    joinedDaysAgo: 110,
    payTo: { method: 'bank', account: 'SE45 5000 0000 0583 9825 7466' },
    links: [
      { aff: 'maya', ...HOME, visitors: 24, signUps: 6, audience: 'readers' },
      { aff: 'maya-pricing', ...PRICING, visitors: 9, signUps: 11, audience: 'readers' },
    ],
  },
  {
    name: 'Dataloop Weekly',
    email: 'partners@dataloop.example',
    code: 'dataloop',
    status: 'approved',
    joinedDaysAgo: 106,
    payTo: { method: 'paypal', account: 'partners@dataloop.example' },
    links: [{ aff: 'dataloop', ...HOME, visitors: 24, signUps: 4.5, audience: 'subscribers', sentOn: 2 }],
  },
  {
    name: 'Kenji Watanabe',
    email: 'kenji@watanabe.example',
    code: 'kenji',
    status: 'approved',
    joinedDaysAgo: 101,
    payTo: { method: 'wise', account: 'kenji@watanabe.example' },
    links: [{ aff: 'kenji-video', ...HOME, visitors: 33, signUps: 1.6, audience: 'viewers' }],
  },
  {
    name: 'Startup Toolbox',
    email: 'hello@startup-toolbox.example',
    code: 'toolbox',
    status: 'approved',
    joinedDaysAgo: 108,
    payTo: null,
    links: [
      { aff: 'toolbox', ...PRICING, visitors: 17, signUps: 3.4, audience: 'searchers' },
      {
        aff: 'toolbox-spring',
        ...OFFER,
        visitors: 12,
        signUps: 5,
        audience: 'searchers',
        endedDaysAgo: 14,
        active: false,
      },
    ],
  },
  {
    // Enough leads that some buy after the suspension, whatever the weekday, so that commissions are in review.
    name: 'Coupon Harbor',
    email: 'affiliates@coupon-harbor.example',
    code: 'couponharbor',
    status: 'suspended',
    joinedDaysAgo: 100,
    payTo: null,
    links: [
      {
        aff: 'harbor-deal',
        ...OFFER,
        visitors: 44,
        signUps: 4,
        audience: 'bargain hunters',
        endedDaysAgo: SUSPENDED_DAYS_AGO,
      },
    ],
  },
  {
    name: 'Priya Raman',
    email: 'priya@raman.example',
    code: APPLICANT,
    status: 'pending',
    joinedDaysAgo: 2,
    payTo: null,
    links: [{ aff: 'priya', ...HOME, visitors: 0, signUps: 0, audience: 'readers' }],
  },
]
