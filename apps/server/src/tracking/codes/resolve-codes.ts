import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import type { PaymentState } from '../../payments/fold-reports.ts'
import {
  findFirstPayments,
  findKnownCodes,
  type KnownCode,
  nameOf,
  referenceOfCode,
} from '../../payments/payment-codes.ts'
import type { CodeOnEvent } from './stated-codes.ts'

type PaymentWithCodes = {
  inboxProgram: { id: number }
  paymentId: number
  state: Pick<PaymentState, 'attribution' | 'codes' | 'codeProgramId' | 'customerId' | 'paid' | 'freeSince'> & {
    isWaitingForCode?: boolean
  }
  /** Filled in, if the payment names codes. */
  codes?: CodeOnEvent[]
}

/**
 * Fills in the codes of payments with what is known of them by now. A payment that names no one belongs to the program whose endpoint
 * received it, once the text of a code is known. Payments without a code cost nothing.
 */
export const resolveCodes = async (db: Database | Tx, all: PaymentWithCodes[]) => {
  const payments = all.filter(({ state }) => state.codes.length > 0)
  if (payments.length === 0) return
  const known = await findKnownCodes(db, payments.flatMap(idsOf))
  const before = await findEarlierCodes(db, payments)
  const textsBefore = await findKnownCodes(
    db,
    [...before].flatMap(([{ inboxProgram }, references]) =>
      references.map((reference) => ({ programId: inboxProgram.id, reference })),
    ),
  )
  for (const payment of payments) {
    const { inboxProgram, state } = payment
    const textOf = (reference: string, texts: Map<string, KnownCode>) =>
      texts.get(nameOf({ programId: inboxProgram.id, reference })) ?? null
    const references = before.get(payment)
    const used = new Set(
      (references ?? []).map((reference) => {
        const text = textOf(reference, textsBefore)
        return text && text !== 'none' ? `code:${text.text.toLowerCase()}` : reference
      }),
    )
    const codes = state.codes.flatMap((code): CodeOnEvent[] => {
      const text = 'text' in code ? { text: code.text } : textOf(code.id, known)
      if (text === 'none') return []
      if (text === null) return [{ code: referenceOfCode(code), isPending: true }]
      return [
        { code: text.text, hasPaidBefore: references !== undefined && !used.has(`code:${text.text.toLowerCase()}`) },
      ]
    })
    payment.codes = distinct(codes)
    const isKnown = payment.codes.some(({ isPending }) => !isPending)
    state.isWaitingForCode = payment.codes.some(({ isPending }) => isPending) && !isKnown
    if (isKnown && !state.attribution)
      state.attribution = { programId: state.codeProgramId ?? inboxProgram.id, customerKey: null, clickId: null }
  }
}

const idsOf = ({ inboxProgram, state }: PaymentWithCodes) =>
  state.codes.flatMap((code) => ('id' in code ? [{ programId: inboxProgram.id, reference: code.id }] : []))

/** Several events of a payment can name one code by different IDs. */
const distinct = (codes: CodeOnEvent[]) =>
  codes.filter(({ code }, index) => codes.findIndex((one) => one.code.toLowerCase() === code.toLowerCase()) === index)

/** The codes of the customer's first payment, for payments of customers who had paid before. */
const findEarlierCodes = async (db: Database | Tx, payments: PaymentWithCodes[]) => {
  const paying = payments.flatMap((payment) => {
    const { inboxProgram, paymentId, state } = payment
    const before = state.paid?.soldAt ?? state.freeSince
    return state.customerId && before
      ? [{ payment, programId: inboxProgram.id, customerId: state.customerId, paymentId, before }]
      : []
  })
  if (paying.length === 0) return new Map<PaymentWithCodes, string[]>()
  const found = await findFirstPayments(db, paying)
  return new Map(paying.flatMap(({ payment }, index) => (found[index] ? [[payment, found[index]] as const] : [])))
}
