/** Audit log actions that people read in other words than they are stored in. */
export const ACTION_WORDS: Record<string, string> = {
  'partner moved': 'partner moved to another group',
  'payout line paid': 'payment marked as paid',
  'payout line failed': 'payment marked as failed',
  'payout line reset': 'payment removed from its file',
}

export const actionWords = (action: string) => ACTION_WORDS[action] ?? action
