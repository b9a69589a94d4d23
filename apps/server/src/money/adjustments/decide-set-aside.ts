/** A member's decision about which partner gets a sale. */
export type ManualCredit = { id: number; isUndone: boolean }

/** The last decision that was not undone. */
export const activeCredit = <Credit extends ManualCredit>(credits: Credit[]): Credit | null =>
  credits.reduce<Credit | null>((last, one) => (one.isUndone || (last && last.id > one.id) ? last : one), null)

/** What members have decided about a commission. */
export type ManualDecisions = {
  isVoided: boolean
  /** The bonus or manual commission was undone. */
  isUndone: boolean
  /** The decision that this commission pays for; null if the automatic rules created it. */
  creditId: number | null
  /** All decisions about its sale; empty if it has none. */
  credits: ManualCredit[]
}

export const UNTOUCHED: ManualDecisions = { isVoided: false, isUndone: false, creditId: null, credits: [] }

/** Whether a member's decision takes the commission to zero: a void, an undone bonus, or a sale that is now another partner's. */
export const isSetAside = ({ isVoided, isUndone, creditId, credits }: ManualDecisions) =>
  isVoided || isUndone || (activeCredit(credits)?.id ?? null) !== creditId
