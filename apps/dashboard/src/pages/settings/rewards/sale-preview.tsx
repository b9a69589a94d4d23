import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import type { RewardForm } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { Field, Select } from '~/components/controls/field.tsx'
import { formatDate, formatMoney } from '~/components/format/format.ts'
import { ruleSentences } from '~/components/format/reward-sentences.ts'
import { QueryView } from '~/components/states.tsx'
import { isComplete } from './draft.ts'
import { ItemRewards, PreviewSkeleton } from './item-rewards.tsx'
import { isInvalidRequest } from './preview-panel.tsx'
import { type SalePreview as Preview, useSalePreview } from './use-sale-preview.ts'

const RECENT = { state: 'credited', pageSize: 20 } as const

/** Which rules decide about a recent sale, and what they pay for it. */
export const SalePreview = ({ reward }: { reward: RewardForm }) => {
  const { program, may } = useProgram()
  const [saleId, setSaleId] = useState('')
  const preview = useSalePreview(reward, saleId === '' ? undefined : Number(saleId))
  const mayList = may('tracking:list')
  const recent = useCall(
    'get /api/programs/{programId}/sales',
    { programId: program.id, query: RECENT },
    { enabled: mayList },
  )
  if (!may('commission:read')) return null
  const sales = recent.data?.data ?? []
  return (
    <section aria-label="On a real sale" className="flex flex-col gap-4 border-line border-t pt-4">
      {sales.length > 0 ? (
        <Field label="On a real sale">
          {(wiring) => (
            <Select {...wiring} value={saleId} onChange={(event) => setSaleId(event.target.value)}>
              {sales.map(({ id, invoiceId, amountCents, currency, soldAt }, index) => (
                <option key={id} value={index === 0 ? '' : id}>
                  {`${invoiceId}, ${formatMoney(amountCents, currency)}, ${formatDate(soldAt)}`}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ) : (
        <h3 className="font-medium text-sm">On a real sale</h3>
      )}
      {isComplete(reward) && !isInvalidRequest(preview.error) && (
        <QueryView query={preview} loading={<PreviewSkeleton />}>
          {(data) => <Outcome preview={data} reward={reward} isRecent={sales.length > 0} />}
        </QueryView>
      )}
    </section>
  )
}

type OutcomeProps = { preview: Preview; reward: RewardForm; isRecent: boolean }

const Outcome = ({ preview, reward, isRecent }: OutcomeProps) => {
  const { program } = useProgram()
  const { sale, amountCents, currency, items, rules, commission, isFirstSale } = preview
  const ruleTexts = reward.sale?.rules ? ruleSentences(reward.sale.rules, program.currency) : []
  return (
    <>
      <p className="text-faint text-xs">
        {sale
          ? `${isRecent ? '' : `${sale.invoiceId}: `}${isFirstSale ? 'The customer’s first sale' : 'A later sale of the customer'}, ${formatMoney(amountCents, currency)} without tax.`
          : `No sale is credited yet. This is an example of ${formatMoney(amountCents, currency)}.`}
      </p>
      <ItemRewards items={items} rules={rules} currency={currency} commission={commission} ruleTexts={ruleTexts} />
    </>
  )
}
