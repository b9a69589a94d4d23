import type { Program, SetUp } from '@tributary/contract'
import { minorDigits } from '@tributary/contract/currencies'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { CodeBlock } from '~/components/code-block.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { Ago } from '~/components/format/time.tsx'
import { instance } from '~/instance.ts'
import { PaymentMode } from './payment-mode.tsx'
import { ProcessorForm } from './processor-form.tsx'
import { Received } from './received.tsx'
import { saleSnippets } from './snippets.ts'
import { StepCard } from './step-card.tsx'
import { Code, Troubleshooting } from './troubleshooting.tsx'

type Mode = Program['paymentTrackingMode']
type Props = { step: SetUp['steps']['payments']; number: number }

const MODES: { value: Mode; label: string }[] = [
  { value: 'processor_connect', label: 'From Stripe' },
  { value: 's2s', label: 'From my server' },
]

const REPORTED: Record<Mode, string> = {
  processor_connect: 'Stripe reports each sale.',
  s2s: 'Your server reports each sale.',
}

/** Switching the view shows other instructions; only the button changes the setting. */
export const PaymentsStep = ({ step, number }: Props) => {
  const [viewed, setViewed] = useState<Mode | null>(null)
  const mode = viewed ?? step.mode
  return (
    <StepCard
      number={number}
      name="payments"
      summary={step.done ? REPORTED[step.mode] : 'Sales come from your payment processor or your server.'}
      isComplete={step.done}
    >
      <Segmented label="How sales are reported" value={mode} options={MODES} onChange={setViewed} />
      <PaymentMode saved={step.mode} viewed={mode} />
      {!step.done && step.otherPath && (
        <p className="text-pretty text-sm text-warn-ink">
          A sale arrived from {step.otherPath.from === 'server' ? 'your server' : 'Stripe'}{' '}
          <Ago at={step.otherPath.at} />, but this program expects sales from{' '}
          {step.mode === 's2s' ? 'your server' : 'Stripe'}.
        </p>
      )}
      {mode === 's2s' ? <ServerSales /> : <ProcessorForm step={step} />}
      {mode === step.mode && (
        <Received noun="sale" received={step.received}>
          {mode === 's2s' ? (
            <Troubleshooting
              checks={[
                <>
                  401 <Code>missing_api_key</Code>: the request has no Authorization header.
                </>,
                <>
                  409 <Code>duplicate_invoice</Code>: this invoice was already sent. The first call counts.
                </>,
              ]}
            />
          ) : (
            <Troubleshooting
              checks={[
                <>Pay through your checkout in Stripe’s test mode. A test payment is enough.</>,
                <>
                  Events without a payment, such as <Code>account.updated</Code>, show that the webhook works but don’t
                  complete the step.
                </>,
              ]}
            />
          )}
        </Received>
      )}
    </StepCard>
  )
}

const ServerSales = () => {
  const { currency } = useProgram().program
  const amount = 49 * 10 ** minorDigits(currency)
  return (
    <>
      <p className="text-soft text-sm">
        Send every sale from your server, including renewals. Amounts are integers in the currency’s smallest unit:{' '}
        {amount} is {formatMoney(amount, currency)}. Each invoice counts once.
      </p>
      <CodeBlock label="Sale call" snippets={saleSnippets({ baseUrl: instance.baseUrl, currency, amount })} />
    </>
  )
}
