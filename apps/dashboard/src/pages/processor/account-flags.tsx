import type { ProgramProcessor } from '@tributary/contract'
import { CircleCheck, CircleSlash } from 'lucide-react'

export const AccountFlags = ({ connection }: { connection: ProgramProcessor }) => {
  const flags = [
    ['Accepts payments', connection.chargesEnabled],
    [`Receives payouts from ${connection.label}`, connection.payoutsEnabled],
    ['Details submitted', connection.detailsSubmitted],
  ] as const
  return (
    <ul className="divide-y divide-line text-sm">
      {flags.map(([label, isSet]) => (
        <li key={label} className="flex items-center justify-between gap-3 py-2">
          {label}
          <span className="flex items-center gap-1.5 text-soft text-xs [&_svg]:size-4">
            {isSet ? (
              <CircleCheck aria-hidden className="text-good-ink" />
            ) : (
              <CircleSlash aria-hidden className="text-faint" />
            )}
            {isSet ? 'Yes' : 'No'}
          </span>
        </li>
      ))}
    </ul>
  )
}
