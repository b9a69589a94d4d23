const DAY_MS = 86_400_000

/** A `click_id` is valid for the program's window from the latest click that used it. */
export const isWithinWindow = (lastClickedAt: Date, cookieWindowDays: number, at: Date) =>
  lastClickedAt.getTime() > at.getTime() - cookieWindowDays * DAY_MS
