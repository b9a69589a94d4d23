type Address = { path: string; search: Record<string, unknown> }

/** Addresses below a program that changed, with everything below them. */
const MOVED: [from: string, to: string][] = [
  ['events', 'sales/events'],
  ['customers', 'sales/customers'],
  ['leads', 'sales/leads'],
  ['why', 'sales/check-attribution'],
  ['adjustments', 'commissions/adjustments'],
  ['processor', 'settings/payment-processors'],
  ['settings/program', 'settings/details'],
  ['settings/groups', 'partners/groups'],
  ['settings/audit', 'settings/audit-log'],
]

/** The connection and the list of its events were one page. */
const LISTED_EVENTS = ['fate', 'type', 'reason', 'page', 'sort']

/** The present address of a page that has moved, or null. Links in emails and bookmarks keep working. */
export const movedTo = ({ path, search }: Address): string | null => {
  if (path === 'processor' && LISTED_EVENTS.some((name) => search[name] !== undefined))
    return 'settings/events-received'
  const moved = MOVED.find(([from]) => path === from || path.startsWith(`${from}/`))
  return moved ? moved[1] + path.slice(moved[0].length) : null
}
