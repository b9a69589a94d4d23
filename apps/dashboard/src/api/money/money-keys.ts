/** Commissions, balances and payouts are one book: what changes a page of it changes the others. */
export const moneyKey = (programId: number) => ['money', programId] as const
