import type { Explanation } from '@tributary/contract'
import { CreditCard, FileQuestionMark, type LucideIcon, MousePointerClick, UserRound } from 'lucide-react'
import { Card } from '~/components/card.tsx'
import { Parts } from '../explain/parts.tsx'

const KINDS: Partial<Record<Explanation['subject']['kind'], [as: string, icon: LucideIcon]>> = {
  invoice: ['As an invoice or payment', CreditCard],
  customer: ['As a customer key', UserRound],
  click: ['As a click ID', MousePointerClick],
}

/** Lists what we looked for, and what to check. */
export const NotReceived = ({ name, explanations }: { name: string; explanations: Explanation[] }) => (
  <Card>
    <div className="px-5 pt-5 pb-4">
      <h2 className="flex items-start gap-2.5 text-section">
        <FileQuestionMark aria-hidden className="mt-px size-5 shrink-0 text-faint" />
        <span className="wrap-anywhere min-w-0">Nothing received for “{name}”</span>
      </h2>
    </div>
    <ul className="divide-y divide-line border-line border-t">
      {explanations.map(({ subject: { kind }, steps }) => {
        const [as, Icon] = KINDS[kind] ?? ['', FileQuestionMark]
        return (
          <li key={kind} className="flex gap-3.5 px-5 py-3.5 text-sm">
            <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
            <div className="min-w-0">
              <p className="font-medium">{as}</p>
              {steps.map((step) => (
                <p
                  key={`${step.kind} ${step.code}`}
                  className={step.kind === 'advice' ? 'mt-1 text-pretty text-soft' : 'text-pretty'}
                >
                  <Parts parts={step.parts} />
                </p>
              ))}
            </div>
          </li>
        )
      })}
    </ul>
  </Card>
)
