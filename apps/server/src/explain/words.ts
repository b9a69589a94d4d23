import { REASONS, REASONS_FOR_PARTNERS, type ReasonCode } from '@tributary/contract'

/** Who reads the answer. A partner reads of themselves and of nobody else. */
export type Reader = { audience: 'merchant' } | { audience: 'partner'; partnerId: number | null }

export type Names = { partners: Map<number, string>; links: Map<number, string> }
export type Money = (amountCents: number, currency: string) => string

export type Words = ReturnType<typeof wordsFor>

/** The words in which a reader is told of partners, links and clicks. What they may not know has no word. */
export const wordsFor = (reader: Reader, { names, decimal }: { names: Names; decimal: Money }) => {
  const isReader = (partnerId: number) => reader.audience === 'partner' && reader.partnerId === partnerId
  const may = (partnerId: number) => reader.audience === 'merchant' || isReader(partnerId)
  const partner = (id: number) =>
    isReader(id)
      ? 'you'
      : reader.audience === 'merchant'
        ? (names.partners.get(id) ?? `partner ${id}`)
        : 'another partner'
  const link = (id: number) => names.links.get(id) ?? `number ${id}`
  const when = reader.audience === 'merchant' ? moment : dayInWords
  const reason = (code: ReasonCode) => reasonFor(reader.audience, code)
  return {
    reader,
    may,
    when,
    reason,
    /** A reason as the second half of a sentence: "…, because the customer signed up before …" */
    because: (code: ReasonCode) => `because ${small(reason(code))}`,
    partner,
    partnerName: (id: number) => names.partners.get(id) ?? null,
    aff: (id: number) => names.links.get(id) ?? null,
    money: (amountCents: number, currency: string) => `${decimal(amountCents, currency)} ${currency}`,
    /** "the click of … through link maya of Maya" */
    click: ({ linkId, partnerId, clickedAt }: { linkId: number; partnerId: number; clickedAt: Date }) =>
      may(partnerId)
        ? `the click of ${when(clickedAt)} through link ${link(linkId)}${isReader(partnerId) ? '' : ` of ${partner(partnerId)}`}`
        : 'a click through the link of another partner',
  }
}

/** 2026-10-05 14:03 UTC */
export const moment = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
/** 5 October 2026 */
const dayInWords = (at: Date) => DAY.format(at)

export const reasonFor = (audience: Reader['audience'], reason: ReasonCode) =>
  (audience === 'partner' && REASONS_FOR_PARTNERS[reason]) || REASONS[reason]

/** "You" and "your" are small within a sentence as every other word is. */
const small = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
