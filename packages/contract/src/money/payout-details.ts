import { z } from 'zod'
import { plainText, timestamp } from '../fields.ts'
import { claimsIban, isIban } from './iban.ts'

export const PAYOUT_METHODS = ['paypal', 'wise', 'bank', 'other'] as const

const line = (maxLength: number) => plainText(maxLength)

const isAddress = (text: string) => z.email().safeParse(text).success
/** Outside the IBAN countries an account is a number, perhaps with a bank code and words around it. */
const isBankAccount = (text: string) => (claimsIban(text) ? isIban(text) : /\d.*\d.*\d.*\d/.test(text))

const ACCOUNTS: Record<(typeof PAYOUT_METHODS)[number], { isValid: (account: string) => boolean; message: string }> = {
  paypal: { isValid: isAddress, message: 'must be the e-mail address of your PayPal account' },
  wise: { isValid: isAddress, message: 'must be the e-mail address of your Wise account' },
  bank: {
    isValid: isBankAccount,
    message:
      'must be a valid IBAN such as DE89 3704 0044 0532 0130 00, or an account number with its bank code where there is no IBAN',
  },
  other: { isValid: () => true, message: '' },
}

/** Where a partner wants their money. */
export const payoutDetailsRequest = z
  .object({
    method: z.enum(PAYOUT_METHODS),
    account: line(200).describe('PayPal and Wise: an e-mail address. Bank: an IBAN, or an account number'),
    holder: line(120).describe('Whose account it is'),
    note: line(500).nullable().default(null),
  })
  .superRefine(({ method, account }, context) => {
    const { isValid, message } = ACCOUNTS[method]
    if (!isValid(account)) context.addIssue({ code: 'custom', path: ['account'], message })
  })
export const payoutDetails = z.strictObject({
  method: z.enum(PAYOUT_METHODS),
  account: z.string(),
  holder: z.string(),
  note: z.string().nullable(),
  updatedAt: timestamp,
  heldUntil: timestamp
    .nullable()
    .describe(
      'The details were entered or changed recently: payment files leave the partner out until then. Null without a hold',
    ),
})
export type PayoutDetails = z.infer<typeof payoutDetails>
