import type { Program, TrackingStatus } from '@tributary/contract'
import { useChangeProgram } from '~/api/programs.ts'
import { useProgram } from '~/app/program-context.ts'
import { CodeBlock } from '~/components/code-block.tsx'
import { FormError } from '~/components/form.tsx'
import { Segmented } from '~/components/segmented.tsx'
import { instance } from '~/instance.ts'
import { LatestTestSale } from './latest-test-sale.tsx'
import { ProcessorForm } from './processor-form.tsx'
import { saleSnippets } from './snippets.ts'
import { StepCard } from './step-card.tsx'

const MODES: { value: Program['paymentTrackingMode']; label: string }[] = [
  { value: 'processor_connect', label: 'From Stripe' },
  { value: 's2s', label: 'From my server' },
]

export const PaymentsStep = ({ status }: { status: TrackingStatus }) => {
  const { program, may } = useProgram()
  const change = useChangeProgram(program.id)
  const { payments } = status.statistics
  const mode = change.variables?.paymentTrackingMode ?? payments.paymentTrackingMode
  return (
    <StepCard
      number={3}
      title="Track payments"
      summary="Sales come from your payment processor by themselves, or from your server."
      isComplete={status.stepStatuses.payments === 'complete'}
    >
      {may('program:update') && (
        <Segmented
          label="Where sales come from"
          value={mode}
          options={MODES}
          onChange={(paymentTrackingMode) => change.mutate({ paymentTrackingMode })}
        />
      )}
      <FormError error={change.error} />
      {mode === 's2s' ? (
        <>
          <p className="text-soft text-sm">
            Send every payment from your server, also renewals. The amount is in cents, and an invoice counts once
            however often it is sent.
          </p>
          <CodeBlock label="Sale call" snippets={saleSnippets({ baseUrl: instance.baseUrl, programId: program.id })} />
          {may('tracking:list') && <LatestTestSale />}
        </>
      ) : (
        <ProcessorForm payments={payments} />
      )}
    </StepCard>
  )
}
