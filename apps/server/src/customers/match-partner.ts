import type { SelfReferralMatch } from '@tributary/contract'
import { hashEmail } from './customers.ts'
import { mailboxOf } from './mailboxes.ts'

export type CustomerNames = {
  keys: (string | null)[]
  emailHash: Buffer | null
  mailboxHash: Buffer | null
  /** Mailboxes that a payment processor states for the payer. */
  payers?: Buffer[]
  /** A click came from a network that the partner used on that day. */
  isSeenAsPartner?: boolean | null
}

export type PartnerNames = {
  /** Of the contact and of everyone who signs in as the partner. */
  emails: string[]
  /** The account that the partner is paid to, if that is an email address. */
  destination: string | null
}

/** How the customer matches the partner. Merchants may use the address as the customer's key. Empty for two people. */
export const matchesOf = (hashKey: string, names: CustomerNames, partner: PartnerNames): SelfReferralMatch[] => {
  const { emails, destination } = partner
  const mailboxes = names.keys.map(mailboxOf).filter((mailbox) => mailbox !== null)
  const isKey = (address: string) => mailboxes.length > 0 && mailboxes.includes(mailboxOf(address) ?? '')
  const isHashed = names.emailHash !== null || names.payers?.length
  const known = isHashed ? emails.map((address) => hashEmail(hashKey, address)).filter((email) => email !== null) : []
  const isEmail = (email: (typeof known)[number]) =>
    names.emailHash !== null &&
    (names.mailboxHash?.equals(email.mailboxHash) ||
      email.hash.equals(names.emailHash) ||
      email.mailboxHash.equals(names.emailHash))
  const isPayer = ({ mailboxHash }: (typeof known)[number]) => names.payers?.some((payer) => payer.equals(mailboxHash))
  const paidTo = isHashed ? hashEmail(hashKey, destination) : null
  const isPaidTo = (destination !== null && isKey(destination)) || (paidTo && (isEmail(paidTo) || isPayer(paidTo)))
  const checks: [SelfReferralMatch, unknown][] = [
    ['customer_key', emails.some(isKey)],
    ['email', known.some(isEmail)],
    ['processor_customer', known.some(isPayer)],
    ['payout_destination', isPaidTo],
    ['visitor', names.isSeenAsPartner],
  ]
  return checks.filter(([, applies]) => applies).map(([match]) => match)
}
