import type { PartnerStatus } from '@tributary/contract'

/** The money of one partner, recomputed in memory one step at a time: no SQL, no ledger, no accounts. */

export type OracleSale = {
  amount: number
  commission: number
  payableAt: number
  refunded: number
  disputes: Map<string, 'open' | 'won' | 'lost'>
  credited: boolean
  /**
   * Waits for a decision because the partner was suspended or rejected when it was earned, or for the customer to be
   * confirmed.
   */
  inReview: boolean
  /** In review because only a browser has reported the customer: confirming them releases it. */
  isUnverified: boolean
  /** Rejected in a review, or voided. */
  isRejected: boolean
  /** The open or paid payout that contains it. */
  payout: number | null
}

type OraclePayout = { status: 'open' | 'paid' | 'failed'; reserved: number; batched: number }

export type OracleBalance = {
  heldCents: number
  payableCents: number
  batchedCents: number
  paidCents: number
  disputedCents: number
  reviewCents: number
}

const halfUp = (commission: number, refunded: number, amount: number) => {
  const [product, divisor] = [BigInt(commission) * BigInt(refunded), BigInt(amount)]
  return Number(product / divisor) + (2n * (product % divisor) >= divisor ? 1 : 0)
}

type NewSale = Pick<OracleSale, 'amount' | 'commission' | 'payableAt' | 'credited'> & { unverified?: boolean }

export const createOracle = () => {
  const sales: OracleSale[] = []
  const payouts: OraclePayout[] = []
  let paid = 0
  let status: PartnerStatus = 'approved'

  const isLost = (sale: OracleSale) => [...sale.disputes.values()].includes('lost')
  const isDisputed = (sale: OracleSale) => !isLost(sale) && [...sale.disputes.values()].includes('open')
  const left = (sale: OracleSale) => {
    if (!sale.credited || sale.isRejected || isLost(sale)) return 0
    return sale.commission - halfUp(sale.commission, sale.refunded, sale.amount)
  }
  const isInBalance = (sale: OracleSale) => !isDisputed(sale) && !sale.inReview
  const sum = (of: (sale: OracleSale) => boolean) => sales.filter(of).reduce((total, sale) => total + left(sale), 0)
  const openPayouts = () => payouts.filter(({ status }) => status === 'open')

  /** A step that debits the balance debits the open payout of that sale first, if there is one. */
  const taking = (sale: OracleSale, step: () => void) => {
    const inBalance = () => (isInBalance(sale) ? left(sale) : 0)
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
    const all = sum(isInBalance)
    const waits = sum((sale) => isInBalance(sale) && sale.payableAt > now)
    const due = all - waits - batchedCents - paid
    return {
      heldCents: status === 'approved' ? waits : waits + Math.max(due, 0),
      payableCents: status === 'approved' ? due : Math.min(due, 0),
      batchedCents,
      reviewCents: sum((sale) => sale.inReview && !isDisputed(sale)),
      paidCents: paid,
      disputedCents: sum(isDisputed),
    }
  }

  /** Commissions of a suspended or rejected partner go to review; otherwise those of an unverified customer do. */
  const credit = (sale: OracleSale, unverified = false) => {
    if (!sale.credited && sale.commission > 0) {
      const isSuspended = status === 'suspended' || status === 'rejected'
      sale.isUnverified = unverified && !isSuspended
      sale.inReview = isSuspended || unverified
    }
    sale.credited = true
  }

  return {
    sales,
    balance,
    payouts,
    setStatus: (next: PartnerStatus) => {
      status = next
    },
    credit,
    /** Confirms the customer: credits uncredited sales and releases those that waited for it. */
    confirm: (sale: OracleSale) => {
      if (!sale.credited) credit(sale)
      else if (sale.isUnverified) sale.inReview = false
      sale.isUnverified = false
    },
    sell: ({ credited, unverified, ...sold }: NewSale) => {
      const nothingYet = { refunded: 0, credited: false, inReview: false, isUnverified: false, isRejected: false }
      const sale: OracleSale = { ...sold, ...nothingYet, payout: null, disputes: new Map() }
      if (credited) credit(sale, unverified)
      sales.push(sale)
      return sale
    },
    /** What a release of held commissions makes payable, in cents. */
    releaseHolds: (now: number) => {
      const held = sales.filter((sale) => sale.credited && isInBalance(sale) && sale.payableAt > now && left(sale) > 0)
      const released = status === 'approved' ? held : []
      for (const sale of released) sale.payableAt = now
      return released.reduce((total, sale) => total + left(sale), 0)
    },
    release: (sale: OracleSale) => {
      sale.inReview = false
    },
    reject: (sale: OracleSale) =>
      taking(sale, () => {
        sale.inReview = false
        sale.isRejected = true
      }),
    refund: (sale: OracleSale, cents: number) =>
      taking(sale, () => {
        sale.refunded += cents
      }),
    dispute: (sale: OracleSale, id: string, status: 'open' | 'won' | 'lost') => {
      const known = sale.disputes.get(id)
      if (known !== undefined && (known !== 'open' || status === 'open')) return
      // A dispute reported as closed first was open all the same.
      taking(sale, () => sale.disputes.set(id, 'open'))
      if (status !== 'open') taking(sale, () => sale.disputes.set(id, status))
    },
    /** Returns the payout number, or null if nothing is due. */
    pay: (now: number) => {
      const { payableCents } = balance(now)
      if (payableCents <= 0 || status !== 'approved') return null
      const number = payouts.push({ status: 'open', reserved: payableCents, batched: payableCents }) - 1
      for (const sale of sales)
        if (sale.credited && sale.payableAt <= now && isInBalance(sale) && sale.payout === null) sale.payout = number
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
