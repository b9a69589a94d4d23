import type { Part } from '@tributary/contract'
import { formatDate, formatMoney, formatTime } from '~/components/format/format.ts'

export const partText = (part: Part) => {
  if (part.type === 'amount') return formatMoney(part.amountCents, part.currency)
  if (part.type === 'time') return part.precision === 'day' ? formatDate(part.at) : formatTime(part.at)
  return part.text
}

/** A step as plain text. */
export const partsText = ({ parts }: { parts: Part[] }) => parts.map(partText).join('')
