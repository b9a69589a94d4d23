/** The money of one partner told again, in memory and one step after the other: no SQL, no ledger, no accounts. */

export type OracleSale = {
  amount: number
  commission: number
  payableAt: number
  refunded: number
  disputes: Map<string, 'open' | 'won' | 'lost'>
  credited: boolean
  /** The payout that has it, open or paid. */
  payout: number | null
}

type OraclePayout = { status: 'open' | 'paid' | 'failed'; reserved: number; batched: number }

export type OracleBalance = {
  heldCents: number
  payableCents: number
  batchedCents: number
  paidCents: number
  disputedCents: number
}

const halfUp = (commission: number, refunded: number, amount: number) => {
  const [product, divisor] = [BigInt(commission) * BigInt(refunded), BigInt(amount)]
  return Number(product / divisor) + (2n * (product % divisor) >= divisor ? 1 : 0)
}

export const createOracle = () => {
  const sales: OracleSale[] = []
  const payouts: OraclePayout[] = []
  let paid = 0

  const isLost = (sale: OracleSale) => [...sale.disputes.values()].includes('lost')
  const isDisputed = (sale: OracleSale) => !isLost(sale) && [...sale.disputes.values()].includes('open')
  const left = (sale: OracleSale) => {
    if (!sale.credited || isLost(sale)) return 0
    return sale.commission - halfUp(sale.commission, sale.refunded, sale.amount)
  }
  const sum = (of: (sale: OracleSale) => boolean) => sales.filter(of).reduce((total, sale) => total + left(sale), 0)
  const openPayouts = () => payouts.filter(({ status }) => status === 'open')

  /** Whatever a step takes out of the balance comes first out of the open payout that was about to pay it, if one was. */
  const taking = (sale: OracleSale, step: () => void) => {
    const inBalance = () => (isDisputed(sale) ? 0 : left(sale))
    const before = inBalance()
    step()
    const taken = Math.max(before - inBalance(), 0)
    const payout = sale.payout === null ? undefined : payouts[sale.payout]
    if (payout?.status !== 'open') return
    payout.batched -= Math.min(taken, payout.batched)
    if (payout.batched === 0) payout.status = 'failed'
    if (isDisputed(sale)) sale.payout = null
  }

  const balance = (now: number): OracleBalance => {
    const batchedCents = openPayouts().reduce((total, { batched }) => total + batched, 0)
    const all = sum((sale) => !isDisputed(sale))
    const heldCents = sum((sale) => !isDisputed(sale) && sale.payableAt > now)
    return {
      heldCents,
      payableCents: all - heldCents - batchedCents - paid,
      batchedCents,
      paidCents: paid,
      disputedCents: sum(isDisputed),
    }
  }

  return {
    sales,
    balance,
    payouts,
    sell: (sale: Pick<OracleSale, 'amount' | 'commission' | 'payableAt' | 'credited'>) =>
      sales.push({ ...sale, refunded: 0, disputes: new Map(), payout: null }) - 1,
    refund: (sale: OracleSale, cents: number) =>
      taking(sale, () => {
        sale.refunded += cents
      }),
    dispute: (sale: OracleSale, id: string, status: 'open' | 'won' | 'lost') => {
      const known = sale.disputes.get(id)
      if (known !== undefined && (known !== 'open' || status === 'open')) return
      // Told first of its end, a dispute was open all the same.
      taking(sale, () => sale.disputes.set(id, 'open'))
      if (status !== 'open') taking(sale, () => sale.disputes.set(id, status))
    },
    /** The number of the payout, or null where nothing is due. */
    pay: (now: number) => {
      const { payableCents } = balance(now)
      if (payableCents <= 0) return null
      const number = payouts.push({ status: 'open', reserved: payableCents, batched: payableCents }) - 1
      for (const sale of sales)
        if (sale.credited && sale.payableAt <= now && !isDisputed(sale) && sale.payout === null) sale.payout = number
      return number
    },
    mark: (payout: OraclePayout, status: 'paid' | 'failed', cents: number | null) => {
      if (status === 'paid') paid += cents ?? payout.batched
      else for (const sale of sales) if (payouts[sale.payout ?? -1] === payout) sale.payout = null
      payout.batched = 0
      payout.status = status
    },
  }
}
