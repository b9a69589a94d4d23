import type { AdjustmentRow, AdjustmentType } from '@tributary/contract'

const LABELS: Record<AdjustmentType, string> = {
  bonus: 'Undo bonus',
  commission: 'Undo bonus',
  void: 'Undo void',
  credit: 'Undo credit',
  move: 'Undo move',
}

export const undoLabel = (type: AdjustmentType) => LABELS[type]

/** Who reads why it was undone. The portal only says that a bonus was taken back. */
export const undoHint = (type: AdjustmentType) => {
  if (type === 'bonus' || type === 'commission') return 'Only your team sees this reason.'
  return type === 'move' ? 'Both partners see this reason.' : 'The partner sees this reason.'
}

type Assignment = Pick<AdjustmentRow, 'id' | 'partnerName' | 'fromPartnerName' | 'reversed'>

/** What undoing does. `assignments`: all credits and moves of the sale, newest first. */
export const describeUndo = (type: AdjustmentType, assignments: Assignment[], id: number) => {
  if (type === 'void')
    return 'The partner earns the commission again, minus refunds since then. You can void it again later.'
  if (type === 'bonus' || type === 'commission')
    return 'The partner loses the bonus. If it was already paid, it is deducted from their next payout. You can add it again later.'
  const undone = assignments.find((each) => each.id === id)
  const standing = assignments.filter(({ reversed }) => reversed === null)
  if (!undone) return ''
  if (standing[0]?.id !== id) return 'The sale stays where it is, because your team moved it again after this.'
  const next = standing[1]?.partnerName ?? (assignments.length === 1 ? undone.fromPartnerName : null)
  const back = next ? `The sale goes back to ${next}, and` : 'The attribution rules decide again about the sale, and'
  return `${back} ${undone.partnerName} loses its commission. You can ${type} the sale again later.`
}
