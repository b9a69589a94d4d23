import type { RewardAnswer } from '@tributary/contract'
import { useRef } from 'react'
import { useChangeReward, useEarlierEvents } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { Unsaved } from '~/components/controls/unsaved.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { BacktestCard } from './backtest/backtest-card.tsx'
import { requestOf } from './draft.ts'
import { appliedWords, EarlierChoice } from './earlier-choice.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { RewardFields } from './reward-fields.tsx'
import { rewardWords } from './reward-words.ts'
import { useDraft } from './use-draft.ts'

type Props = { reward: RewardAnswer; title: string }

/** The terms to the left, what they pay to the right; both change together. What they would have paid is below. */
export const RewardEditor = ({ reward, title }: Props) => {
  const { program, may } = useProgram()
  const form = useRef<HTMLFormElement>(null)
  const change = useChangeReward(program.id)
  const { draft, isTouched, write, saved } = useDraft(reward)
  const request = requestOf(draft, program.currency)
  const mayChange = may('payout:manage')
  const isFirst = reward.version === null
  const { data: earlier } = useEarlierEvents(program.id)
  const isAsked = isFirst && earlier?.canApply && earlier.leads + earlier.sales > 0
  const submit = (values: FormData) =>
    change.mutate(
      {
        ...request,
        replaces: reward.version,
        ...(values.get('applyToEarlier') === 'yes' && { applyToEarlier: true }),
      },
      {
        onSuccess: (terms) => {
          saved()
          toast.done(terms.earlier ? appliedWords(terms.earlier) : `Saved. From now on: ${rewardWords(terms)}.`)
        },
      },
    )
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card>
        <CardHeader
          title={title}
          description={isFirst ? 'No reward is set: sales and sign-ups earn nothing.' : `Now: ${rewardWords(reward)}.`}
        />
        <Form ref={form} onSubmit={submit} className="p-5">
          <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-5">
            <legend className="sr-only">{title}</legend>
            <RewardFields draft={draft} currency={program.currency} onChange={write} />
            {isAsked && mayChange && <EarlierChoice earlier={earlier} />}
            {earlier?.applied && <p className="text-faint text-xs">{appliedWords(earlier.applied)}</p>}
            <FormError error={change.error} />
            {mayChange && (
              <footer className="flex flex-wrap items-center justify-between gap-3 border-line border-t pt-4">
                <p className="max-w-xs text-faint text-xs">
                  {isAsked
                    ? 'New sales and sign-ups earn this reward from now on.'
                    : 'Applies from now on. Earlier commissions keep the terms they were earned under.'}
                </p>
                <Button type="submit" look="primary" busy={change.isPending}>
                  Save terms
                </Button>
              </footer>
            )}
          </fieldset>
          <Unsaved when={isTouched} />
        </Form>
      </Card>
      <Card className="lg:sticky lg:top-5">
        <CardHeader title="Preview" description="Calculated exactly as payouts are." />
        <div className="p-5">
          <PreviewPanel reward={request} />
        </div>
      </Card>
      {mayChange && (
        <div className="min-w-0 lg:col-span-2">
          <BacktestCard terms={request} form={form} />
        </div>
      )}
    </div>
  )
}
