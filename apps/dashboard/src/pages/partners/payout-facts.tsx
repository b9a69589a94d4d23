import type { PayoutDetails } from '@tributary/contract'
import { CopyButton } from '~/components/copy.tsx'
import { METHODS } from './payout-methods.ts'

export const payoutFacts = ({ method, account, holder, note }: PayoutDetails) => [
  { label: 'Method', value: METHODS[method] },
  {
    label: 'Account',
    value: (
      <span className="inline-flex items-center gap-1">
        <span className="break-all">{account}</span>
        <CopyButton text={account} label="Copy account" iconOnly />
      </span>
    ),
  },
  { label: 'Account holder', value: holder },
  ...(note ? [{ label: 'Note', value: note }] : []),
]
