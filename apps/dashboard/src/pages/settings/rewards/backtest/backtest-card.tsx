import type { RefObject } from 'react'
import { type BacktestWish, useBacktest } from '~/api/money/backtest.ts'
import type { RewardForm } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { daysAgo, today } from '~/components/format/time-zone.ts'
import { Progress } from '~/components/progress.tsx'
import { rewardWords } from '../reward-words.ts'
import { BacktestResult } from './backtest-result.tsx'

const DAYS = 90

type Props = { terms: RewardForm; form: RefObject<HTMLFormElement | null> }

/** Says what is wrong beside the first field that is wrong. Whether to pay for earlier events is a question for saving only. */
const areTermsComplete = (form: HTMLFormElement | null) => {
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('input:not([name=applyToEarlier])') ?? [])]
  return fields.every((field) => field.reportValidity())
}

const isSame = (one: RewardForm, other: RewardForm) => JSON.stringify(one) === JSON.stringify(other)

/** Compares the terms in the form, saved or not, with what partners earned. */
export const BacktestCard = ({ terms, form }: Props) => {
  const { program } = useProgram()
  const backtest = useBacktest(program.id)
  const start = () => {
    if (areTermsComplete(form.current)) backtest.mutate({ terms, from: daysAgo(DAYS - 1), to: today() })
  }
  const wordsOf = ({ terms: { lead = null, sale = null } }: BacktestWish) =>
    rewardWords({ lead, sale, currency: program.currency })
  return (
    <Card>
      <CardHeader
        title="Back-test"
        description="See what partners would have earned under the terms above. Nothing is saved or changed by comparing."
        actions={
          // One button for both, so that it keeps the focus.
          <Button onClick={backtest.isPending ? backtest.cancel : start}>
            {backtest.isPending ? 'Cancel comparison' : `Compare with the last ${DAYS} days`}
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
          {backtest.data && 'The comparison is finished.'}
        </p>
        {backtest.data && !isSame(backtest.variables.terms, terms) && (
          <p className="mx-5 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
            The terms above have changed since. Compare again to see what they would have paid.
          </p>
        )}
        {backtest.data && (
          <BacktestResult result={backtest.data} wish={backtest.variables} terms={wordsOf(backtest.variables)} />
        )}
      </div>
    </Card>
  )
}
