import type { SignIn } from './dashboard-api.ts'
import { type DemoProcessorName, labelOf } from './demo-processor.ts'

type Instructions = {
  serviceUrl: string
  shopUrl: string
  processorUrl: string
  programId: number
  partner: { name: string; email: string; code: string }
  payments: 'processor' | 'server'
  processor: DemoProcessorName
  signIn: SignIn
}

/** Printed at the end of `npm run demo`: steps to follow one referral from link to ledger. */
export const formatInstructions = ({
  serviceUrl,
  shopUrl,
  processorUrl,
  programId,
  partner,
  payments,
  processor,
  signIn,
}: Instructions) => {
  const api = `${serviceUrl}/api/programs/${programId}`
  const isProcessor = payments === 'processor'
  const lines = [
    `Tributary, a sample shop and a fake payment processor (${labelOf(processor)}) are running. Follow one referral:`,
    '',
    `1. Open the referral link of ${partner.name}, a partner of the shop, and choose a plan.`,
    `     ${shopUrl}/?aff=${partner.code}`,
    '2. Sign up and pay with one click.',
    isProcessor
      ? '3. Refund, renew or dispute the payment at the payment processor.'
      : '3. Request a refund in your shop account.',
    `     ${isProcessor ? processorUrl : `${shopUrl}/account`}`,
    `4. Sign in to Tributary to see what ${partner.name} earned and why.`,
    `     ${serviceUrl}/programs/${programId}`,
    `     email     ${signIn.email}`,
    `     password  ${signIn.password}`,
    `5. See the same as ${partner.name}: sign in to the partner portal with the same password, in a private window.`,
    `     ${serviceUrl}/portal/${programId}`,
    `     email     ${partner.email}`,
    '6. Read it as JSON, signed in as in step 4:',
    `     ${serviceUrl}/api/tracking/events/${programId}`,
    `     ${api}/commissions`,
    `     ${api}/balances`,
    `     ${api}/explain?customer_key=…  (the ID is on the shop's account page)`,
    '',
    'The program is kept for the next demo; shop customers and payments are not. Press Ctrl-C to stop everything.',
  ]
  return `\n${lines.join('\n').replace(/^(?=.)/gm, '  ')}\n`
}
