import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { call, type Input, type Result } from '~/api/call.ts'
import { ApiError } from '~/api/client.ts'
import type { RewardForm } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { Field } from '~/components/controls/field.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { amountProblem, MoneyInput, parseCents, toAmountText } from '~/components/controls/money-input.tsx'
import { Facts } from '~/components/facts/facts.tsx'
import { formatCount, formatMoney } from '~/components/format/format.ts'
import { isComplete } from './draft.ts'
import { MonthBars } from './month-bars.tsx'

const EXAMPLE_CENTS = 5_000
const PREVIEW = 'post /api/programs/{programId}/reward/preview'

/** The form shows what is invalid. */
export const isInvalidRequest = (error: Error | null) => error instanceof ApiError && error.code === 'invalid_request'

/** Previews the terms in the form; the service does the calculation. */
export const PreviewPanel = ({ reward }: { reward: RewardForm }) => {
  const { program } = useProgram()
  const { currency } = program
  const [sale, setSale] = useState(toAmountText(EXAMPLE_CENTS, currency))
  const amountCents = parseCents(sale, currency)
  const canPreview = isComplete(reward)
  const input = useDeferredValue(amountCents && canPreview ? JSON.stringify({ reward, amountCents }) : null)
  const preview = usePreview(program.id, input === null ? null : JSON.parse(input))
  return (
    <div className="flex flex-col gap-4">
      <Field label="Customer pays per month" error={amountProblem(sale, currency)}>
        {(wiring) => (
          <MoneyInput {...wiring} currency={currency} value={sale} onChange={(event) => setSale(event.target.value)} />
        )}
      </Field>
      {/* The form fields show what is invalid, so don’t repeat the API’s message. */}
      {(!canPreview || isInvalidRequest(preview.error)) && (
        <p className="text-faint text-sm">Complete the terms to see a preview.</p>
      )}
      {canPreview && preview.error && !isInvalidRequest(preview.error) && <FormError error={preview.error} />}
      {canPreview && preview.data && !preview.error && <Outcome preview={preview.data} currency={currency} />}
    </div>
  )
}

/** Calculated with the same rules as real commissions. */
const usePreview = (programId: number, body: Input<typeof PREVIEW>['body'] | null) =>
  useQuery({
    queryKey: ['reward preview', programId, body],
    queryFn: body ? () => call(PREVIEW, { programId, body }) : skipToken,
    placeholderData: keepPreviousData,
    retry: false,
  })

const Outcome = ({ preview, currency }: { preview: Result<typeof PREVIEW>; currency: string }) => {
  const money = (paid: { amountCents: number } | null) => formatMoney(paid?.amountCents ?? 0, currency)
  const months = preview.monthly.map((paid) => paid?.amountCents ?? 0)
  const total = months.reduce((sum, cents) => sum + cents, preview.lead?.amountCents ?? 0)
  return (
    <>
      <div>
        <p className="text-soft text-sm">Partner earns in two years</p>
        <p data-testid="preview-total" className="mt-0.5 text-figure">
          {formatMoney(total, currency)}
        </p>
      </div>
      <MonthBars months={months} format={(cents) => formatMoney(cents, currency)} />
      <Facts
        facts={[
          { label: 'Lead', value: money(preview.lead) },
          { label: 'First sale', value: money(preview.firstSale) },
          {
            label: 'Months with commission',
            value: `${months.filter((cents) => cents > 0).length} of ${months.length}`,
          },
          { label: 'Hold period', value: formatCount(preview.holdDays, 'day') },
        ]}
      />
    </>
  )
}
