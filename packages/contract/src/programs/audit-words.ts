/** Audit log actions that people read in other words than they are stored in. */
export const ACTION_WORDS: Record<string, string> = {
  'sale credited by hand': 'sale credited manually',
  'partner moved': 'partner moved to another group',
  'payout line paid': 'payment marked as paid',
  'payout line failed': 'payment marked as failed',
  'payout line reset': 'payment removed from its file',
}

type Entry = { action: string; before: unknown; after: unknown }

const statusIn = (fields: unknown) => (fields as { status?: unknown } | null)?.status

/** A change of a partner's status is named after it: "partner suspended". The audit log's search does the same in SQL. */
export const actionWords = ({ action, before, after }: Entry) => {
  const status = statusIn(after)
  if (action !== 'partner changed' || !status || status === 'pending') return ACTION_WORDS[action] ?? action
  return `partner ${status === 'approved' && statusIn(before) === 'suspended' ? 'reinstated' : status}`
}
