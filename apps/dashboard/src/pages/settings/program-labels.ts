import type { ChangeProgram } from '@tributary/contract'

/** What the settings are called, in their form and in the audit log. */
export const PROGRAM_LABELS = {
  name: 'Name',
  websites: 'Websites',
  currency: 'Currency',
  timezone: 'Time zone',
  cookieWindowDays: 'Attribution window, in days',
  attributionModel: 'Attribution model',
  leadAuth: 'Lead authentication',
  paymentTrackingMode: 'Payment tracking',
  partnersCreateLinks: 'Partners create their own links',
  applicationsOpen: 'Open for applications',
  applicationText: 'Text on the application page',
} satisfies Record<keyof Required<ChangeProgram>, string>

/** What the choices of a setting are called. */
export const PROGRAM_CHOICES = {
  attributionModel: { last_click: 'The last click wins', first_click: 'The first click wins' },
  leadAuth: {
    server_required: 'From your server, with an API key',
    browser_allowed: 'From your server or the visitor’s browser',
  },
  paymentTrackingMode: { processor_connect: 'From the payment processor', s2s: 'From your server' },
}
