import { type Explanation, REASONS, type ReasonCode } from '@tributary/contract'
import { adviceFor, plainAnswer } from '../../explain/answer.ts'
import { findSale } from '../../explain/subjects.ts'
import type { Reader } from '../../explain/words.ts'
import { type KeptReport, listReports } from '../../payments/payment-reports.ts'
import { salesOfPayment } from '../payments/load-candidates.ts'
import { type Asked, type Dependencies, explainSale, NAMELESS } from './explain.ts'

/** `scopeId`: the program that heard of it. */
type Question = { asked: Asked; invoiceId: string; scopeId: number; paymentId: number }

/**
 * About a payment, by any of its names: the sale that it is, or why it is none, and what the processor has told of it. Null
 * where all of it is the business of other programs.
 */
export const explainPayment = async (
  dependencies: Dependencies,
  { asked, invoiceId, scopeId, paymentId }: Question,
): Promise<Explanation | null> => {
  const { db } = dependencies
  const { programId, audience } = asked
  const heard = await listReports(db, { programId: scopeId, paymentId })
  // Of what another program has heard, what names a third is none of this one's business.
  const isOurs = ({ report }: KeptReport) => (report.attribution?.programId ?? programId) === programId
  const reports = scopeId === programId ? heard : heard.filter(isOurs)
  const [found] = await salesOfPayment(db, { programId: scopeId, paymentId })
  const sale = found?.programId === programId && (await findSale(db, { programId, id: found.id }))
  if (sale) return withReports(await explainSale(dependencies, { asked, sale }), { asked, reports })
  if (scopeId !== programId && reports.length === 0) return null
  const reader: Reader = audience === 'merchant' ? { audience } : { audience, partnerId: null }
  const { fate, reason } = found ? { fate: 'applied', reason: 'sale_in_other_program' as const } : mostTelling(reports)
  const answer: Explanation = {
    subject: { ...NAMELESS, kind: 'invoice', ...(audience === 'merchant' && { invoiceId }) },
    outcome: fate === 'waiting' ? 'waiting' : 'uncredited',
    reason,
    sentences: plainAnswer(reason, reader),
    facts: null,
    timeline: [],
    commission: null,
  }
  return withReports(answer, { asked, reports })
}

const TELLING = ['paid', 'pending', 'failed', 'refund', 'refunded_in_all', 'dispute', 'tie']

/** Whether the money came says more than that it was refunded. */
const mostTelling = (reports: KeptReport[]): Pick<KeptReport, 'fate' | 'reason'> => {
  const rank = ({ report }: KeptReport) => TELLING.indexOf(report.says.kind)
  const [first] = reports.toSorted((a, b) => rank(a) - rank(b))
  return first ?? { fate: 'waiting', reason: 'invoice_never_received' }
}

/** What the processor told is the merchant's business and nobody else's. */
const withReports = (answer: Explanation, { asked, reports }: { asked: Asked; reports: KeptReport[] }): Explanation => {
  const { audience } = asked
  if (audience !== 'merchant') return answer
  const told = reports.map(({ report, fate, reason }) => ({
    at: report.at.toISOString(),
    event: 'payment' as const,
    outcome: fate,
    reason,
    sentence: REASONS[reason],
    decidedOn: { references: report.references, attribution: report.attribution, ...report.says },
  }))
  const reasons: ReasonCode[] = told.map(({ reason }) => reason)
  const more = [...reasons.map((reason) => REASONS[reason]), ...adviceFor(reasons, { audience })]
  return {
    ...answer,
    sentences: [...new Set([...answer.sentences, ...more])],
    timeline: [...told, ...answer.timeline].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
  }
}
