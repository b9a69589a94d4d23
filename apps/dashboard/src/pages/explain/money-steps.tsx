import type { Explanation } from '@tributary/contract'
import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { formatDate, formatMoney } from '~/components/format/format.ts'
import { displayState, unapproved } from '~/components/format/money-state.ts'
import { UndoButton } from '../adjustments/undo-button.tsx'
import { isVoidable, VoidDialog } from '../commissions/void-dialog.tsx'

type Commission = NonNullable<Explanation['commission']>
type Step = { label: string; amount: string; note: string; look: 'done' | 'next' | 'lost' }

const findPayout = (timeline: Explanation['timeline']) => timeline.findLast(({ event }) => event === 'payout')

const heldStep = (commission: Commission, amount: string): Step => {
  const { state, payableAt, disputedCents, currency } = commission
  if (state === 'review') return { label: 'In review', amount, note: 'until you approve or reject it', look: 'next' }
  if (displayState(commission) === 'in_dispute')
    return {
      label: 'In dispute',
      amount: formatMoney(disputedCents, currency),
      note: 'until the dispute closes',
      look: 'next',
    }
  if (commission.heldForApproval) return { ...unapproved(commission.partnerStatus), amount, look: 'next' }
  const hasEnded = state === 'payable' || state === 'paid'
  return { label: 'Held', amount, note: `until ${formatDate(payableAt)}`, look: hasEnded ? 'done' : 'next' }
}

const buildSteps = (commission: Commission, timeline: Explanation['timeline']): Step[] => {
  const { amountCents, reversedCents, currency, earnedAt, state, inPayout, paidCents, voidReason } = commission
  const money = (cents: number) => formatMoney(cents, currency)
  const left = money(amountCents - reversedCents)
  const payout = findPayout(timeline)
  const steps: Step[] = [{ label: 'Earned', amount: money(amountCents), note: formatDate(earnedAt), look: 'done' }]
  if (reversedCents > 0)
    steps.push({
      label: voidReason === null ? 'Reversed' : 'Voided',
      amount: money(-reversedCents),
      look: 'lost',
      note: voidReason ?? '',
    })
  if (state === 'reversed') return steps
  steps.push(heldStep(commission, left))
  if (state !== 'paid' && paidCents > 0)
    steps.push({ label: 'Paid', amount: money(paidCents), note: 'remainder to follow', look: 'done' })
  steps.push(
    state === 'paid'
      ? { label: 'Paid', amount: left, note: payout ? formatDate(payout.at) : 'in a payout', look: 'done' }
      : {
          label: state === 'payable' && inPayout ? 'In payout' : 'Payable',
          amount: state === 'payable' ? money(amountCents - reversedCents - paidCents) : '–',
          note: state !== 'payable' ? 'not yet' : inPayout ? 'not sent yet' : 'in the next payout',
          look: 'next',
        },
  )
  return steps
}

export const MoneySteps = ({ commission, timeline }: { commission: Commission; timeline: Explanation['timeline'] }) => {
  const { may } = useProgram()
  const [isVoiding, setVoiding] = useState(false)
  const steps = buildSteps(commission, timeline)
  const current = steps.find(({ look }) => look === 'next')
  return (
    <Card className="pb-5">
      <CardHeader
        title="Commission"
        actions={
          <span className="flex items-center gap-2">
            <StateChip state={displayState(commission)} />
            <UndoButton adjustment={commission.adjustment} saleId={commission.saleId} />
            {isVoidable(commission) && may('payout:manage') && (
              <Button size="small" onClick={() => setVoiding(true)}>
                Void commission
              </Button>
            )}
          </span>
        }
      />
      <VoidDialog commission={commission} open={isVoiding} onClose={() => setVoiding(false)} />
      <ol className="mt-4 grid gap-4 px-5 sm:auto-cols-fr sm:grid-flow-col sm:gap-0">
        {steps.map((step, index) => (
          <StepItem key={step.label} step={step} isCurrent={step === current} isLast={index === steps.length - 1} />
        ))}
      </ol>
    </Card>
  )
}

const DOTS = {
  done: 'border-ink bg-ink text-surface',
  current: 'border-ink bg-surface',
  next: 'border-line-strong bg-surface',
  lost: 'border-bad-ink bg-bad-soft',
}

type ItemProps = { step: Step; isCurrent: boolean; isLast: boolean }

const StepItem = ({ step: { label, amount, note, look }, isCurrent, isLast }: ItemProps) => (
  <li aria-current={isCurrent ? 'step' : undefined} className="relative flex gap-3 sm:flex-col sm:gap-2">
    {!isLast && <span aria-hidden className="absolute inset-x-0 top-2 left-4 h-px bg-line-strong max-sm:hidden" />}
    <span
      aria-hidden
      className={clsx(
        'relative grid size-4 place-items-center rounded-full border',
        DOTS[isCurrent ? 'current' : look],
      )}
    >
      {look === 'done' && <Check className="size-2.5" strokeWidth={3} />}
      {isCurrent && <span className="size-2 rounded-full bg-ink" />}
    </span>
    <div className="text-sm">
      <p className="text-faint text-xs">{label}</p>
      <p className={clsx('font-semibold tabular-nums', look === 'lost' && 'text-bad-ink')}>{amount}</p>
      <p className="text-faint text-xs">{note}</p>
    </div>
  </li>
)
