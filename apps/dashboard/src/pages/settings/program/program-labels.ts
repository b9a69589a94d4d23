import type { ChangeProgram } from '@tributary/contract'

/** Labels in the settings form and the audit log. */
export const PROGRAM_LABELS = {
  name: 'Name',
  websites: 'Websites',
  currency: 'Currency',
  timezone: 'Time zone',
  cookieWindowDays: 'Attribution window (days)',
  attributionModel: 'Attribution model',
  leadAuth: 'Leads are reported by',
  paymentTrackingMode: 'Sales are reported by',
  respectGlobalPrivacyControl: 'Treat Global Privacy Control as consent refused',
  reviewAdClicks: 'Review sales that follow a click from an ad',
  reviewWithinSeconds: 'Review sales this many seconds after the click',
  codePrecedence: 'If a link and a code compete',
  partnersCreateLinks: 'Partners create their own links',
  partnersRequestCodes: 'Partners can request codes',
  applicationsOpen: 'Accept applications',
  applicationText: 'Application page text',
} satisfies Record<keyof Required<ChangeProgram>, string>

export const PROGRAM_CHOICES = {
  attributionModel: { last_click: 'Last click', first_click: 'First click' },
  codePrecedence: { link: 'The link is credited', code: 'The code is credited' },
  leadAuth: {
    server_required: 'Your server, with an API key',
    browser_allowed: 'Your server or the visitor’s browser',
  },
  paymentTrackingMode: { processor_connect: 'Payment processor', s2s: 'Your server' },
}
