import type { SignIn } from './dashboard-api.ts'

type Instructions = {
  serviceUrl: string
  shopUrl: string
  processorUrl: string
  programId: number
  aff: string
  partner: string
  payments: 'processor' | 'server'
  signIn: SignIn
}

/** The service creates this sign-in with its own demo data. */
const PORTAL_EMAIL = 'maya@lindqvist.example'

/** Printed at the end of `npm run demo`: steps to follow one referral from link to ledger. */
export const formatInstructions = ({
  serviceUrl,
  shopUrl,
  processorUrl,
  programId,
  aff,
  partner,
  payments,
  signIn,
}: Instructions) => {
  const api = `${serviceUrl}/api/programs/${programId}`
  const isProcessor = payments === 'processor'
  const lines = [
    'Tributary, a sample shop and a fake payment processor are running. Follow one referral:',
    '',
    `1. Open the referral link of ${partner}, a partner of the shop, and choose a plan.`,
    `     ${shopUrl}/?aff=${aff}`,
    '2. Sign up and pay with one click.',
    isProcessor
      ? '3. Refund, renew or dispute the payment at the payment processor.'
      : '3. Request a refund in your shop account.',
    `     ${isProcessor ? processorUrl : `${shopUrl}/account`}`,
    '4. Sign in to Tributary.',
    `     ${serviceUrl}`,
    `     email     ${signIn.email}`,
    `     password  ${signIn.password}`,
    `5. Open the program "Quillet partners" to see what ${partner} earned and why, or as JSON:`,
    `     ${serviceUrl}/api/tracking/events/${programId}`,
    `     ${api}/commissions`,
    `     ${api}/balances`,
    `     ${api}/explain?customer_key=…  (the ID is on the shop's account page)`,
    '6. See the partner portal: sign in as a partner of the program "Acme Partner Program", with the same password.',
    `     email     ${PORTAL_EMAIL}`,
    '',
    'The program is kept for the next demo; shop customers and payments are not. Press Ctrl-C to stop everything.',
  ]
  return `\n${lines.join('\n').replace(/^(?=.)/gm, '  ')}\n`
}
