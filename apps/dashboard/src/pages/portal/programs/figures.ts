import type { PortalBalances } from '@tributary/contract'

type Balance = PortalBalances['balances'][number]
export type Figure = { label: string; of: (balance: Balance) => number; isRare?: true }

const FIGURES: Figure[] = [
  {
    label: 'Not payable yet',
    of: ({ heldCents, reviewCents, disputedCents }) => heldCents + reviewCents + disputedCents,
  },
  { label: 'Payable', of: ({ payableCents }) => payableCents },
  { label: 'In payout', of: ({ batchedCents }) => batchedCents, isRare: true },
  { label: 'Paid', of: ({ paidCents }) => paidCents },
]

/** Rare figures appear only if one of the programs has such an amount, so that all rows have the same columns. */
export const figuresFor = (rows: PortalBalances[]) =>
  FIGURES.filter(({ of, isRare }) => !isRare || rows.some(({ balances }) => balances.some((row) => of(row) !== 0)))
