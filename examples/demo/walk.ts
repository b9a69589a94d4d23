import type { SignIn } from './dashboard-api.ts'

type Walk = {
  serviceUrl: string
  shopUrl: string
  processorUrl: string
  programId: number
  aff: string
  partner: string
  payments: 'processor' | 'server'
  signIn: SignIn
}

/** What stands at the end of `npm run demo`: a referral to walk through, from the link to the ledger. */
export const walkOf = ({ serviceUrl, shopUrl, processorUrl, programId, aff, partner, payments, signIn }: Walk) => {
  const api = `${serviceUrl}/api/programs/${programId}`
  const isProcessor = payments === 'processor'
  const lines = [
    'A shop, its payment processor and Tributary are running. Walk a referral through:',
    '',
    `1. Follow the link of ${partner}, a partner of the shop, and choose a plan.`,
    `     ${shopUrl}/?aff=${aff}`,
    '2. Sign up, and pay with one click.',
    isProcessor
      ? '3. Refund it, renew it or dispute it, at the payment processor.'
      : '3. Take the money back, in your account.',
    `     ${isProcessor ? processorUrl : `${shopUrl}/account`}`,
    '4. Sign in to Tributary.',
    `     ${serviceUrl}`,
    `     e-mail    ${signIn.email}`,
    `     password  ${signIn.password}`,
    `5. See what ${partner} has earned in the program "Quillet partners", and why. As JSON, once you are signed in:`,
    `     ${serviceUrl}/api/tracking/events/${programId}`,
    `     ${api}/commissions`,
    `     ${api}/balances`,
    `     ${api}/explain?customer_key=…  (the number is on the shop's account page)`,
    '',
    "The next demo goes on from here, but for the shop's customers and the processor's payments. Ctrl-C stops all three.",
  ]
  return `\n${lines.join('\n').replace(/^(?=.)/gm, '  ')}\n`
}
