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
import { Arrival, Received, SENDERS } from './received.tsx'
import { saleSnippets } from './snippets.ts'
import { type Frame, StepCard } from './step-card.tsx'
import { StepKey, type StepKeyState } from './step-key.tsx'
import { Code, Troubleshooting } from './troubleshooting.tsx'

type Mode = Program['paymentTrackingMode']
type Props = { step: SetUp['steps']['payments']; frame: Frame; apiKey: StepKeyState }

const MODES: { value: Mode; label: string }[] = [
  { value: 'processor_connect', label: 'From my payment processor' },
  { value: 's2s', label: 'From my server' },
]

/** Switching the view shows other instructions; only the button changes the setting. */
export const PaymentsStep = ({ step, frame, apiKey }: Props) => {
  const [viewed, setViewed] = useState<Mode | null>(null)
  const mode = viewed ?? step.switchTo ?? step.mode
  const arrived = step.switchTo ? step.otherPath : step.received
  return (
    <StepCard
      frame={frame}
      summary={
        step.done && arrived ? (
          <Arrival noun="sale" received={arrived} />
        ) : (
          'Sales come from your payment processor or your server.'
        )
      }
    >
      <Segmented label="How sales are reported" value={mode} options={MODES} onChange={setViewed} />
      <PaymentMode saved={step.mode} viewed={mode} />
      {!step.done && step.received && (
        <p className="text-pretty text-sm text-warn-ink">
          Sales arrived earlier, but new ones won’t while no payment processor is connected.
        </p>
      )}
      {!step.done && step.otherPath && (
        <p className="text-pretty text-sm text-warn-ink">
          A {step.otherPath.test ? 'test sale' : 'sale'} arrived from {SENDERS[step.otherPath.from]}{' '}
          <Ago at={step.otherPath.at} />, but this program expects sales from{' '}
          {step.mode === 's2s' ? 'your server' : 'your payment processor'}. The step is complete once such a sale is
          credited to a partner, or the program expects them.
        </p>
      )}
      {mode === 's2s' ? <ServerSales apiKey={apiKey} /> : <ProcessorForm />}
      {mode !== step.mode && !step.otherPath && <Received noun="sale" received={null} />}
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
                <>Pay through your checkout in the payment processor’s test mode. A test payment is enough.</>,
                <>Events without a payment show that the webhook works but don’t complete the step.</>,
              ]}
            />
          )}
        </Received>
      )}
    </StepCard>
  )
}

const ServerSales = ({ apiKey }: { apiKey: StepKeyState }) => {
  const { currency } = useProgram().program
  const amount = 49 * 10 ** minorDigits(currency)
  return (
    <>
      <StepKey state={apiKey} />
      <p className="text-soft text-sm">
        Send every sale from your server, including renewals. Amounts are integers in the currency’s smallest unit:{' '}
        {amount} is {formatMoney(amount, currency)}. Each invoice counts once.
      </p>
      <CodeBlock label="Sale call" snippets={saleSnippets({ baseUrl: instance.baseUrl, currency, amount })} />
    </>
  )
}
