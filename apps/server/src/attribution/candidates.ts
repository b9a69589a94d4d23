import type { AttributionModel, LoserReason } from '@tributary/contract'

/** A click of the visitor, as far as it matters for whose customer they are. */
export type Click = { id: string; linkId: number; partnerId: number; clickedAt: Date }

/** The click/customer record, as it stood when it was decided. */
export type CustomerRecord = {
  linkId: number
  partnerId: number
  /** The click that made it so. */
  creditedClickAt: Date
  firstClickedAt: Date
  lastClickedAt: Date
  isSettled: boolean
}

export type Winner = { linkId: number; partnerId: number; clickedAt: Date }
export type Loser = Click & { why: LoserReason }

/** Ids are made in the order of time, so they decide between two clicks of one millisecond. */
const byTime = (a: Click, b: Click) => a.clickedAt.getTime() - b.clickedAt.getTime() || (a.id < b.id ? -1 : 1)

/** The click that has the credit at a moment: the last one by then, or the first. */
export const winningClick = (clicks: Click[], { model, at }: { model: AttributionModel; at: Date }) => {
  const before = clicks.filter(({ clickedAt }) => clickedAt <= at).toSorted(byTime)
  return (model === 'first_click' ? before[0] : before.at(-1)) ?? null
}

/** The click by which the record is whose it is. Null for a second customer, whose clicks are those of the first. */
export const creditedClick = (clicks: Click[], { linkId, creditedClickAt }: CustomerRecord) =>
  clicks
    .filter((click) => click.linkId === linkId && click.clickedAt.getTime() === creditedClickAt.getTime())
    .toSorted(byTime)
    .at(-1) ?? null

/** Every click but the winner, oldest first, each with the reason. */
export const losersOf = (
  clicks: Click[],
  { winner, why }: { winner: Click | null; why: (click: Click) => LoserReason },
): Loser[] =>
  clicks
    .filter(({ id }) => id !== winner?.id)
    .toSorted(byTime)
    .map((click) => ({ ...click, why: why(click) }))

/** How a click lost against the one that made the record whose it is. */
export const whyNotCredited =
  ({ creditedClickAt, isSettled }: CustomerRecord, model: AttributionModel) =>
  ({ clickedAt }: Click): LoserReason => {
    if (clickedAt < creditedClickAt) return 'earlier_click'
    // The last click counts, and still this one did not: only a sign-up can have closed the record to it.
    return isSettled && model === 'last_click' && clickedAt > creditedClickAt ? 'after_the_lead' : 'later_click'
  }
