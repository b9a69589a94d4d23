import type { Explanation } from '@tributary/contract'
import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { formatDate, formatMoney } from '~/components/format/format.ts'
import { stateOf } from '~/components/format/money-state.ts'
import { isVoidable, VoidDialog } from '../commissions/void-dialog.tsx'

type Commission = NonNullable<Explanation['commission']>
type Step = { label: string; amount: string; note: string; look: 'done' | 'next' | 'lost' }

const payoutIn = (timeline: Explanation['timeline']) => timeline.findLast(({ event }) => event === 'payout')

const heldStep = (commission: Commission, amount: string): Step => {
  const { state, payableAt, disputedCents, currency } = commission
  if (state === 'review') return { label: 'In review', amount, note: 'until you release or reject it', look: 'next' }
  if (stateOf(commission) === 'in_dispute')
    return {
      label: 'In dispute',
      amount: formatMoney(disputedCents, currency),
      note: 'until it is decided',
      look: 'next',
    }
  const isOver = state === 'payable' || state === 'paid'
  const day = commission.heldForApproval ? 'the partner is approved' : formatDate(payableAt)
  return { label: isOver ? 'Was held' : 'Held', amount, note: `until ${day}`, look: isOver ? 'done' : 'next' }
}

const stepsOf = (commission: Commission, timeline: Explanation['timeline']): Step[] => {
  const { amountCents, reversedCents, currency, earnedAt, state, inPayout, paidCents, voidReason } = commission
  const money = (cents: number) => formatMoney(cents, currency)
  const left = money(amountCents - reversedCents)
  const payout = payoutIn(timeline)
  const steps: Step[] = [{ label: 'Earned', amount: money(amountCents), note: formatDate(earnedAt), look: 'done' }]
  if (reversedCents > 0)
    steps.push({
      ...{ label: voidReason === null ? 'Reversed' : 'Voided', amount: money(-reversedCents), look: 'lost' },
      note: voidReason ?? 'taken back',
    })
  if (state === 'reversed') return steps
  steps.push(heldStep(commission, left))
  if (state !== 'paid' && paidCents > 0)
    steps.push({ label: 'Paid', amount: money(paidCents), note: 'the rest follows', look: 'done' })
  steps.push(
    state === 'paid'
      ? { label: 'Paid', amount: left, note: payout ? formatDate(payout.at) : 'with a payout', look: 'done' }
      : {
          label: 'To be paid',
          amount: state === 'payable' ? money(amountCents - reversedCents - paidCents) : '–',
          note: state !== 'payable' ? 'not yet' : inPayout ? 'in the open payout' : 'with the next payout',
          look: 'next',
        },
  )
  return steps
}

/** The way of the commission: earned, held, taken back, paid. */
export const MoneySteps = ({ commission, timeline }: { commission: Commission; timeline: Explanation['timeline'] }) => {
  const { may } = useProgram()
  const [isVoiding, setVoiding] = useState(false)
  const steps = stepsOf(commission, timeline)
  return (
    <Card className="pb-5">
      <CardHeader
        title="Commission"
        actions={
          <span className="flex items-center gap-2">
            <StateChip state={stateOf(commission)} />
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
          <StepShown key={step.label} step={step} isLast={index === steps.length - 1} />
        ))}
      </ol>
    </Card>
  )
}

const DOTS = {
  done: 'border-accent bg-accent text-on-accent',
  next: 'border-line-strong bg-surface',
  lost: 'border-bad-ink bg-bad-soft',
}

const StepShown = ({ step: { label, amount, note, look }, isLast }: { step: Step; isLast: boolean }) => (
  <li className="relative flex gap-3 sm:flex-col sm:gap-2">
    {!isLast && <span aria-hidden className="absolute inset-x-0 top-2 left-4 h-px bg-line-strong max-sm:hidden" />}
    <span aria-hidden className={clsx('relative grid size-4 place-items-center rounded-full border', DOTS[look])}>
      {look === 'done' && <Check className="size-2.5" strokeWidth={3} />}
    </span>
    <div className="text-sm">
      <p className="text-faint text-xs">{label}</p>
      <p className={clsx('font-semibold tabular-nums', look === 'lost' && 'text-bad-ink')}>{amount}</p>
      <p className="text-faint text-xs">{note}</p>
    </div>
  </li>
)
