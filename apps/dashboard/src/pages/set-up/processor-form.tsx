import type { TrackingStatus } from '@tributary/contract'
import { useConnectProcessor } from '~/api/processor.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/button.tsx'
import { CodeBlock } from '~/components/code-block.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { Field, Input } from '~/components/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/form.tsx'
import { formatTime } from '~/components/format.ts'
import { toast } from '~/components/toast.tsx'
import { instance } from '~/instance.ts'
import { checkoutSnippets } from './snippets.ts'

type Payments = TrackingStatus['statistics']['payments']

/** The merchant's own account: an address for its webhooks, the secret they are signed with, the metadata at checkout. */
export const ProcessorForm = ({ payments }: { payments: Payments }) => {
  const { program, may } = useProgram()
  const place = { baseUrl: instance.baseUrl, programId: program.id }
  return (
    <ol className="flex list-none flex-col gap-5">
      <Part title="Add a webhook endpoint in your Stripe dashboard">
        <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 break-all font-mono text-xs">{webhookAddress(place)}</code>
          <CopyButton text={webhookAddress(place)} label="Copy" look="secondary" />
        </div>
      </Part>
      <Part title="Store its signing secret here">{may('program:update') && <SecretForm />}</Part>
      <Part title="Say who the customer is at checkout">
        <CodeBlock label="Checkout metadata" snippets={checkoutSnippets(place)} />
      </Part>
      <Connection payments={payments} />
    </ol>
  )
}

const webhookAddress = ({ baseUrl, programId }: { baseUrl: string; programId: number }) =>
  `${baseUrl}/api/v1/processor/webhook/${programId}`

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <li className="flex min-w-0 flex-col gap-2">
    <h3 className="font-medium text-sm">{title}</h3>
    {children}
  </li>
)

const SecretForm = () => {
  const { program } = useProgram()
  const connect = useConnectProcessor(program.id)
  const submit = (values: FormData) =>
    connect.mutate(
      { webhookSecret: textOf(values, 'webhookSecret') },
      { onSuccess: () => toast.done('Stored. The first signed event completes the connection.') },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-2">
      <FormError error={connect.error} fields={['webhookSecret']} />
      <div className="flex items-end gap-2">
        <div className="min-w-0 max-w-md flex-1">
          <Field label="Signing secret" error={fieldError(connect.error, 'webhookSecret')}>
            {(wiring) => (
              <Input
                {...wiring}
                name="webhookSecret"
                type="password"
                placeholder="whsec_…"
                autoComplete="off"
                required
              />
            )}
          </Field>
        </div>
        <Button type="submit" look="primary" busy={connect.isPending}>
          Store
        </Button>
      </div>
    </Form>
  )
}

const EXPLANATIONS: Record<Payments['processorConnectionStatus'], string> = {
  not_connected: 'No secret is stored yet.',
  pending: 'Waiting for the first event with a good signature. Send a test event from the Stripe dashboard.',
  connected: 'Events arrive with a good signature.',
  restricted: 'Stripe has restricted the account. Look at its dashboard for what it asks for.',
  disconnected: 'The account was disconnected. Store a secret again to go on.',
}

const Connection = ({ payments }: { payments: Payments }) => (
  <li
    aria-live="polite"
    className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-sunken px-4 py-3 text-sm"
  >
    <StateChip state={payments.processorConnectionStatus} />
    <span className="text-soft">
      {EXPLANATIONS[payments.processorConnectionStatus]}
      {payments.connectionDate && ` Connected ${formatTime(payments.connectionDate)}.`}
    </span>
  </li>
)
