import type { RewardAnswer } from '@tributary/contract'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { type RewardForm, useChangeReward } from '~/api/money/rewards.ts'
import { useFocusFromHash } from '~/app/focus-from-hash.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { Unsaved } from '~/components/controls/unsaved.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { HoldNotice } from '~/pages/holds/hold-notice.tsx'
import { BacktestCard } from './backtest/backtest-card.tsx'
import { type Draft, isComplete, toRequest } from './draft.ts'
import { describeApplied, EarlierChoice } from './earlier-choice.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { RewardFields } from './reward-fields.tsx'
import { describeReward } from './reward-text.ts'
import { refusalOf } from './rules/refusal.ts'
import { SalePreview } from './sale-preview.tsx'
import { useDraft } from './use-draft.ts'
import { useSalePreview } from './use-sale-preview.ts'

type Props = { reward: RewardAnswer; title: string }

/** The terms and a live preview, with a backtest below. */
export const RewardEditor = ({ reward, title }: Props) => {
  const { program, may } = useProgram()
  const form = useFocusFromHash<HTMLFormElement>('reward')
  const { draft, isTouched, update, clearSaved } = useDraft(reward)
  const request = toRequest(draft, program.currency)
  const { change, save, isHoldChanged } = useSaveTerms(reward, request, clearSaved)
  const refusal = refusalOf(change.error)
  const preview = useSalePreview(request)
  const warnings = (isComplete(request) && preview.data?.warnings) || []
  const edit = (part: Partial<Draft>) => {
    // Its place may be another rule's from now on.
    if (refusal) change.reset()
    update(part)
  }
  const mayChange = may('payout:manage')
  const isFirst = reward.version === null
  const { data: earlier } = useCall('get /api/programs/{programId}/reward/earlier', { programId: program.id })
  const asksAboutEarlier = isFirst && earlier?.canApply && earlier.leads + earlier.sales > 0
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card weight="lead">
        <CardHeader
          title={title}
          description={
            isFirst ? 'No reward is set. Leads and sales earn nothing.' : `Current: ${describeReward(reward)}.`
          }
        />
        <Form ref={form} onSubmit={save} className="p-5">
          <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-5">
            <legend className="sr-only">{title}</legend>
            <RewardFields
              draft={draft}
              currency={program.currency}
              refusal={refusal}
              warnings={warnings}
              onChange={edit}
            />
            {isHoldChanged && <HoldNotice scope={{}} whose="of all partners" />}
            {asksAboutEarlier && mayChange && <EarlierChoice earlier={earlier} />}
            {earlier?.applied && <p className="text-faint text-xs">{describeApplied(earlier.applied)}</p>}
            <FormError error={change.error} fields={refusal ? [refusal.field] : []} />
            {mayChange && <SaveTerms asksAboutEarlier={Boolean(asksAboutEarlier)} busy={change.isPending} />}
          </fieldset>
          <Unsaved when={isTouched} />
        </Form>
      </Card>
      <Card weight="quiet" className="lg:sticky lg:top-5">
        <CardHeader title="Preview" description="Uses the same calculation as real commissions." />
        <div className="flex flex-col gap-4 p-5">
          <PreviewPanel reward={request} />
          <SalePreview reward={request} />
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

const useSaveTerms = (reward: RewardAnswer, request: RewardForm, onSaved: () => void) => {
  const { program } = useProgram()
  const change = useChangeReward(program.id)
  const isHoldChanged = request.holdDays !== reward.holdDays
  // Stays after saving, to offer the release.
  const [wasHoldChanged, setHoldChanged] = useState(false)
  const save = (values: FormData) =>
    change.mutate(
      {
        ...request,
        replaces: reward.version,
        ...(values.get('applyToEarlier') === 'yes' && { applyToEarlier: true }),
      },
      {
        onSuccess: (terms) => {
          setHoldChanged(wasHoldChanged || isHoldChanged)
          onSaved()
          toast.done(terms.earlier ? describeApplied(terms.earlier) : `Reward terms saved: ${describeReward(terms)}.`)
        },
      },
    )
  return { change, save, isHoldChanged: isHoldChanged || wasHoldChanged }
}

const SaveTerms = ({ asksAboutEarlier, busy }: { asksAboutEarlier: boolean; busy: boolean }) => (
  <footer className="flex flex-wrap items-center justify-between gap-3 border-line border-t pt-4">
    <p className="max-w-xs text-faint text-xs">
      {asksAboutEarlier
        ? 'New leads and sales earn this reward from now on.'
        : 'Applies to new leads and sales. Past commissions keep their terms.'}
    </p>
    <Button type="submit" look="primary" busy={busy}>
      Save reward terms
    </Button>
  </footer>
)
