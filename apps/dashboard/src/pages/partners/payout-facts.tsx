import type { PayoutDetails } from '@tributary/contract'
import { CopyButton } from '~/components/copy.tsx'
import { METHODS } from './payout-methods.ts'

/** All that a partner has said about where their money goes. */
export const payoutFacts = ({ method, account, holder, note }: PayoutDetails) => [
  { label: 'Method', value: METHODS[method] },
  {
    label: 'Account',
    value: (
      <span className="inline-flex items-center gap-1">
        <span className="break-all">{account}</span>
        <CopyButton text={account} label="Copy the account" iconOnly />
      </span>
    ),
  },
  { label: 'Holder', value: holder },
  ...(note ? [{ label: 'Note', value: note }] : []),
]
