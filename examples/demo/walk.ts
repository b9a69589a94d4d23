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
    'A shop, its payment processor and Tributary are running.',
    '',
    `1. Follow ${partner}'s link into the shop:     ${shopUrl}/?aff=${aff}`,
    '2. Choose a plan, sign up, and pay with one click.',
    isProcessor
      ? `3. Refund, renew or dispute it at the processor: ${processorUrl}`
      : `3. Take the money back in the account:         ${shopUrl}/account`,
    `4. Sign in to Tributary:                        ${serviceUrl}`,
    `     e-mail    ${signIn.email}`,
    `     password  ${signIn.password}`,
    `5. See what ${partner} has earned, and why, in the program "Quillet partners", or as JSON when signed in:`,
    `     ${serviceUrl}/api/tracking/events/${programId}`,
    `     ${api}/commissions`,
    `     ${api}/balances`,
    `     ${api}/explain?customer_key=…   (the customer number is on the shop's account page)`,
    '',
    'Everything but the shop’s customers and the processor’s payments is kept for the next time. Ctrl-C stops all three.',
  ]
  return `\n${lines.join('\n').replace(/^(?=.)/gm, '  ')}\n`
}
