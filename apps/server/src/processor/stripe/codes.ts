import type { ReportedCode } from '../../payments/payment-report.ts'
import { codeNamed, learnedCode, withCodes } from '../translating/codes.ts'
import { type Fields, fieldsOf, idOf, itemsOf, read } from '../translating/fields.ts'
import { report } from '../translating/reports.ts'
import type { IncomingEvent, LearnedCode, Translate } from '../translation.ts'
import { namedIn } from './read-payment.ts'

/**
 * A discount, as each API generation names it: a whole object with its promotion code, or since 2025-03-31 only the ID of one that
 * `customer.discount.created` explains. A coupon that the merchant gave has no code.
 */
const codeOf = (discount: unknown): ReportedCode | null => {
  if (typeof discount === 'string') return { id: discount }
  const { promotion_code: code } = fieldsOf(discount)
  const id = idOf(code)
  return codeNamed(read(code, 'code')) ?? (id ? { id } : null)
}

/** Of the whole invoice first, then of its lines. The totals name every discount once more. */
const discountsOf = (object: Fields) => [
  object.discount,
  ...itemsOf(object.discounts),
  ...itemsOf(read(object.lines, 'data')).flatMap((line) => itemsOf(read(line, 'discounts'))),
  ...itemsOf(object.total_discount_amounts).map((amount) => read(amount, 'discount')),
]

const codesOf = ({ type, object }: IncomingEvent) => {
  if (!type.startsWith('checkout.session.') && !type.startsWith('invoice.')) return []
  const codes = discountsOf(object)
    .map(codeOf)
    .filter((code) => code !== null)
  const texts = codes.map((code) => JSON.stringify(code))
  return codes.filter((_, index) => texts.indexOf(texts[index] ?? '') === index)
}

/** Adds the promotion codes to what an event says of a payment. One that a code made free binds its customer. */
export const withPromotionCodes =
  (translate: Translate): Translate =>
  (event) => {
    const translation = translate(event)
    const codes = codesOf(event)
    if (codes.length === 0) return translation
    if ('customer' in translation) return free(event, codes, translation.customer.clickReference)
    if ('ignored' in translation && translation.ignored === 'nothing_paid') return free(event, codes)
    if (!('report' in translation)) return translation
    const { kind } = translation.report.says
    return kind === 'paid' || kind === 'pending'
      ? { ...translation, report: { ...translation.report, ...withCodes(codes) } }
      : translation
  }

const free = ({ object, createdAt: at, type }: IncomingEvent, codes: ReportedCode[], clickReference?: string) => {
  const attribution = namedIn(read(object, 'parent', 'subscription_details', 'metadata'), object.metadata)
  const source = type.startsWith('invoice.') ? ('invoice' as const) : ('checkout' as const)
  const says = { kind: 'paid', grossCents: 0, netCents: 0, currency: 'USD', source, subscriptionId: null } as const
  return report({
    references: [idOf(object), idOf(object.invoice)],
    at,
    attribution,
    customerId: idOf(object.customer),
    ...(clickReference && { clickReference }),
    codes,
    says: { ...says, currency: String(object.currency ?? 'usd').toUpperCase() },
  })
}

/** promotion_code.created, promotion_code.updated. */
export const promotionCodeChanged: Translate = ({ object }) => learnedCode(idOf(object), object.code ?? undefined)

/** customer.discount.created, customer.discount.updated: the code behind a discount, which invoices name only by its ID. */
export const discountCreated: Translate = ({ object: discount }) => {
  const [id, sameAs] = [idOf(discount), idOf(discount.promotion_code)]
  if (!id) return { ignored: 'code_without_text' }
  const text = codeNamed(read(discount.promotion_code, 'code'))
  const behind: LearnedCode[] = sameAs && text ? [{ id: sameAs, ...text }] : []
  return { learned: [...behind, sameAs ? { id, sameAs } : { id }] }
}
