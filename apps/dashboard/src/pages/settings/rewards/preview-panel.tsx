import { useDeferredValue, useState } from 'react'
import { ApiError } from '~/api/client.ts'
import { type RewardForm, type RewardPreview, useRewardPreview } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { Field } from '~/components/controls/field.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { amountProblem, centsOf, MoneyInput, textOfCents } from '~/components/controls/money-input.tsx'
import { Facts } from '~/components/facts/facts.tsx'
import { formatCount, formatMoney } from '~/components/format/format.ts'
import { MonthBars } from './month-bars.tsx'

const EXAMPLE_CENTS = 5_000

const isRefusal = (error: Error) => error instanceof ApiError && error.code === 'invalid_request'

/** What the terms as they stand in the form would pay, reckoned by the service itself. */
export const PreviewPanel = ({ reward }: { reward: RewardForm }) => {
  const { program } = useProgram()
  const { currency } = program
  const [sale, setSale] = useState(textOfCents(EXAMPLE_CENTS, currency))
  const amountCents = centsOf(sale, currency)
  const asked = useDeferredValue(amountCents ? JSON.stringify({ reward, amountCents }) : null)
  const preview = useRewardPreview(program.id, asked === null ? null : JSON.parse(asked))
  return (
    <div className="flex flex-col gap-4">
      <Field label="A customer pays, each month" error={amountProblem(sale, currency)}>
        {(wiring) => (
          <MoneyInput {...wiring} currency={currency} value={sale} onChange={(event) => setSale(event.target.value)} />
        )}
      </Field>
      {/* What is wrong with the terms is said beside their fields, in words that are not of the wire. */}
      {preview.error && isRefusal(preview.error) && (
        <p className="text-faint text-sm">Complete the terms to see what they pay.</p>
      )}
      {preview.error && !isRefusal(preview.error) && <FormError error={preview.error} />}
      {preview.data && !preview.error && <Outcome preview={preview.data} currency={currency} />}
    </div>
  )
}

const Outcome = ({ preview, currency }: { preview: RewardPreview; currency: string }) => {
  const money = (paid: { amountCents: number } | null) => formatMoney(paid?.amountCents ?? 0, currency)
  const months = preview.monthly.map((paid) => paid?.amountCents ?? 0)
  const total = months.reduce((sum, cents) => sum + cents, preview.lead?.amountCents ?? 0)
  return (
    <>
      <div>
        <p className="text-soft text-sm">The partner gets, in two years</p>
        <p data-testid="preview-total" className="mt-0.5 font-semibold text-2xl tabular-nums tracking-tight">
          {formatMoney(total, currency)}
        </p>
      </div>
      <MonthBars months={months} format={(cents) => formatMoney(cents, currency)} />
      <Facts
        facts={[
          { label: 'For the lead', value: money(preview.lead) },
          { label: 'For the first sale', value: money(preview.firstSale) },
          { label: 'Months that pay', value: `${months.filter((cents) => cents > 0).length} of ${months.length}` },
          { label: 'Payable after', value: formatCount(preview.holdDays, 'day') },
        ]}
      />
    </>
  )
}
