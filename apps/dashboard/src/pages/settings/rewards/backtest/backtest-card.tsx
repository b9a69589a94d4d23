import type { RefObject } from 'react'
import { type BacktestRequest, useBacktest } from '~/api/money/backtest.ts'
import type { RewardForm } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { daysAgo, today } from '~/components/format/time-zone.ts'
import { Progress } from '~/components/progress.tsx'
import { describeReward } from '../reward-text.ts'
import { BacktestResult } from './backtest-result.tsx'

const DAYS = 90

type Props = { terms: RewardForm; form: RefObject<HTMLFormElement | null> }

/** Reports the first invalid field. Ignores the choice about earlier events, which matters only when saving. */
const areTermsComplete = (form: HTMLFormElement | null) => {
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('input:not([name=applyToEarlier])') ?? [])]
  return fields.every((field) => field.reportValidity())
}

const isSame = (one: RewardForm, other: RewardForm) => JSON.stringify(one) === JSON.stringify(other)

/** Compares the terms in the form, saved or not, with actual commissions. */
export const BacktestCard = ({ terms, form }: Props) => {
  const { program } = useProgram()
  const backtest = useBacktest(program.id)
  const start = () => {
    if (areTermsComplete(form.current)) backtest.mutate({ terms, from: daysAgo(DAYS - 1), to: today() })
  }
  const describeTerms = ({ terms: { lead = null, sale = null } }: BacktestRequest) =>
    describeReward({ lead, sale, currency: program.currency })
  return (
    <Card>
      <CardHeader
        title="Backtest"
        description="See what partners would have earned under the terms above. Comparing does not save or change anything."
        actions={
          // One button for both actions, so it keeps the focus.
          <Button onClick={backtest.isPending ? backtest.cancel : start}>
            {backtest.isPending ? 'Cancel comparison' : `Compare with last ${DAYS} days`}
          </Button>
        }
      />
      <div className="flex flex-col gap-5 pt-5">
        {backtest.isPending && (
          <div className="px-5 pb-5">
            <Progress label="Customers compared" progress={backtest.progress} noun="customers" />
          </div>
        )}
        {backtest.error && (
          <div className="px-5 pb-5">
            <FormError error={backtest.error} />
          </div>
        )}
        <p aria-live="polite" className="sr-only">
          {backtest.data && 'Comparison finished.'}
        </p>
        {backtest.data && !isSame(backtest.variables.terms, terms) && (
          <p className="mx-5 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
            The terms above have changed. Compare again to update the result.
          </p>
        )}
        {backtest.data && (
          <BacktestResult
            result={backtest.data}
            request={backtest.variables}
            terms={describeTerms(backtest.variables)}
          />
        )}
      </div>
    </Card>
  )
}
