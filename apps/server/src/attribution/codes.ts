import type { CodeLoserReason, CodePrecedence, UncreditedReason } from '@tributary/contract'

/** A promotion code that an event states, with what was true of it at the time. */
export type StatedCode = {
  /** As stated; the processor's ID if its text is not known yet. */
  code: string
  state: 'owned' | 'unknown' | 'disabled' | 'pending'
  codeId: number | null
  /** The owner at the time. */
  partnerId: number | null
  isApproved: boolean
  /** The customer had paid before they first used this code. */
  hasPaidBefore: boolean
}

/** Absent from events without a code. In the processor's order. */
export type CodeFacts = { codes?: StatedCode[]; codePrecedence?: CodePrecedence }

export type LostCode = { code: string; partnerId: number | null; why: CodeLoserReason }
type WinningCode = { code: string; codeId: number; partnerId: number }
type CodeReason = Extract<UncreditedReason, CodeLoserReason>

type CodeChoice = {
  winner: WinningCode | null
  /** Why no code is credited; null if one is, or if none was stated. */
  reason: CodeReason | null
  lost: LostCode[]
}

const whyNot = ({ state, isApproved, hasPaidBefore }: StatedCode): CodeReason | null => {
  if (state === 'pending') return 'code_pending'
  if (state === 'unknown') return 'code_unknown'
  if (state === 'disabled') return 'code_disabled'
  if (!isApproved) return 'partner_not_approved'
  return hasPaidBefore ? 'existing_customer' : null
}

/**
 * The first code in the order of the payment that can be credited. While the text of an earlier one is unknown, no later one is credited:
 * otherwise the order of events would decide.
 */
export const chooseCode = ({ codes = [] }: CodeFacts): CodeChoice => {
  const pending = codes.findIndex(({ state }) => state === 'pending')
  const judged = codes.map((code) => ({ ...code, why: whyNot(code) }))
  const first = judged.findIndex(({ why }) => why === null)
  const isWaiting = pending !== -1 && pending < first
  const chosen = isWaiting ? undefined : judged[first]
  const lost = judged.flatMap((one): LostCode[] =>
    one === chosen ? [] : [{ code: one.code, partnerId: one.partnerId, why: one.why ?? 'other_code' }],
  )
  if (chosen && chosen.codeId !== null && chosen.partnerId !== null)
    return { winner: { code: chosen.code, codeId: chosen.codeId, partnerId: chosen.partnerId }, reason: null, lost }
  const reason = isWaiting || pending === 0 ? 'code_pending' : (judged[0]?.why ?? null)
  return { winner: null, reason, lost }
}

/** All codes lost, for one reason that comes before their own, except codes that could not have been credited anyway. */
export const loseAll = ({ codes = [] }: CodeFacts, why: CodeLoserReason): LostCode[] =>
  codes.map((one) => ({ code: one.code, partnerId: one.partnerId, why: whyNot(one) ?? why }))
