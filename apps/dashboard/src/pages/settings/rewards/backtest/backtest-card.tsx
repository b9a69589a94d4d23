import type { Group } from '@tributary/contract'
import { type RefObject, useId, useState } from 'react'
import { type BacktestRequest, useBacktest } from '~/api/money/backtest.ts'
import type { RewardForm } from '~/api/money/rewards.ts'
import { useGroups } from '~/api/partners/groups.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Select } from '~/components/controls/field.tsx'
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

type Chosen = { terms: RewardForm; groupId: string }

/** What changed since the comparison; null if nothing did. */
const changeSince = (compared: BacktestRequest, { terms, groupId }: Chosen) => {
  if (!isSame(compared.terms, terms)) return 'The terms above have changed.'
  return String(compared.groupId ?? '') === groupId ? null : 'You chose another group.'
}

/** Compares the terms in the form, saved or not, with actual commissions. */
export const BacktestCard = ({ terms, form }: Props) => {
  const { program } = useProgram()
  const backtest = useBacktest(program.id)
  const groups = useGroups(program.id).data?.data ?? []
  const [groupId, setGroupId] = useState('')
  const group = groups.find(({ id, isDefault }) => (isDefault ? '' : String(id)) === groupId)
  const changed = backtest.data ? changeSince(backtest.variables, { terms, groupId }) : null
  const start = () => {
    if (!areTermsComplete(form.current)) return
    backtest.mutate({ terms, ...(groupId && { groupId: Number(groupId) }), from: daysAgo(DAYS - 1), to: today() })
  }
  const describeTerms = ({ terms: { lead = null, sale = null } }: BacktestRequest) =>
    describeReward({ lead, sale, currency: program.currency })
  return (
    <Card weight="quiet">
      <CardHeader
        title="Backtest"
        description={`See what partners${group && groups.length > 1 ? ` in the group “${group.name}”` : ''} would have earned with the terms above. Testing does not save or change anything.`}
        actions={
          <div className="flex flex-wrap gap-x-3 gap-y-2">
            <GroupChoice groups={groups} value={groupId} onChange={setGroupId} />
            {/* One button for both actions, so it keeps the focus. */}
            <Button onClick={backtest.isPending ? backtest.cancel : start}>
              {backtest.isPending ? 'Cancel test' : `Test on the last ${DAYS} days`}
            </Button>
          </div>
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
          {backtest.data && 'Test finished.'}
        </p>
        {changed && (
          <p className="mx-5 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
            {changed} Test again to update the result.
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

type ChoiceProps = { groups: Group[]; value: string; onChange: (groupId: string) => void }

/** The group whose terms are replaced; empty for the default group, whose terms are the program's. */
const GroupChoice = ({ groups, value, onChange }: ChoiceProps) => {
  const id = useId()
  if (groups.length < 2) return null
  return (
    <div className="flex items-center gap-2 text-sm">
      <label htmlFor={id}>Group</label>
      <Select
        id={id}
        className="w-full sm:w-auto sm:max-w-80"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {groups.map(({ id: groupId, name, isDefault }) => (
          <option key={groupId} value={isDefault ? '' : groupId}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  )
}
