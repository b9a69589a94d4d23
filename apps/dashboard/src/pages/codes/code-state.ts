type Code = { active: boolean; requested: boolean }

/** The state shown to merchants. */
export const codeState = ({ active, requested }: Code) => {
  if (requested) return 'requested'
  return active ? 'active' : 'disabled'
}
