import type { AttributionModel, LoserReason } from '@tributary/contract'

const DAY_MS = 86_400_000

export type Click = { id: string; linkId: number; partnerId: number; clickedAt: Date }

/** The customer record at the time of the decision. */
export type CustomerRecord = {
  linkId: number
  partnerId: number
  /** Time of the click that the partner is credited for. */
  creditedClickAt: Date
  firstClickedAt: Date
  lastClickedAt: Date
  isSettled: boolean
}

export type Winner = { linkId: number; partnerId: number; clickedAt: Date }
export type Loser = Click & { why: LoserReason }

/** Click IDs ascend with time, so they order two clicks in the same millisecond. */
const byTime = (a: Click, b: Click) => a.clickedAt.getTime() - b.clickedAt.getTime() || (a.id < b.id ? -1 : 1)

/** A `click_id` is valid for the program's attribution window, counted from the latest click that used it. */
export const isWithinWindow = (lastClickedAt: Date, cookieWindowDays: number, at: Date) =>
  lastClickedAt.getTime() > at.getTime() - cookieWindowDays * DAY_MS

/** Returns the first or last click up to `at`, depending on the attribution model. */
export const winningClick = (clicks: Click[], { model, at }: { model: AttributionModel; at: Date }) => {
  const before = clicks.filter(({ clickedAt }) => clickedAt <= at).toSorted(byTime)
  return (model === 'first_click' ? before[0] : before.at(-1)) ?? null
}

/** Returns the click that the record is credited for. Null for a second customer: their clicks belong to the first one. */
export const creditedClick = (clicks: Click[], { linkId, creditedClickAt }: CustomerRecord) =>
  clicks
    .filter((click) => click.linkId === linkId && click.clickedAt.getTime() === creditedClickAt.getTime())
    .toSorted(byTime)
    .at(-1) ?? null

/** All clicks except the winner, oldest first, each with the reason it lost. */
export const listLosers = (
  clicks: Click[],
  { winner, why }: { winner: Click | null; why: (click: Click) => LoserReason },
): Loser[] =>
  clicks
    .filter(({ id }) => id !== winner?.id)
    .toSorted(byTime)
    .map((click) => ({ ...click, why: why(click) }))

/** Returns why a click lost to the credited one. */
export const whyNotCredited =
  ({ creditedClickAt, isSettled }: CustomerRecord, model: AttributionModel) =>
  ({ clickedAt }: Click): LoserReason => {
    if (clickedAt < creditedClickAt) return 'earlier_click'
    // With last-click attribution, a later click loses only because the lead had already settled.
    return isSettled && model === 'last_click' && clickedAt > creditedClickAt ? 'after_the_lead' : 'later_click'
  }
