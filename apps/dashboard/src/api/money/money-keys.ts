/** Commissions, balances and payouts share a key because a change to one affects the others. */
export const moneyKey = (programId: number) => ['money', programId] as const
