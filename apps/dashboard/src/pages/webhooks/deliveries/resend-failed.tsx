import type { WebhookEndpoint } from '@tributary/contract'
import { WEBHOOK_RETENTION_DAYS } from '@tributary/contract/webhook-limits'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useResendFailed } from '~/api/webhooks.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Select } from '~/components/controls/field.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { formatNumber } from '~/components/format/format.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

const HOUR_MS = 3_600_000
const PERIODS = [
  { hours: 1, label: 'In the last hour' },
  { hours: 24, label: 'In the last 24 hours' },
  { hours: 7 * 24, label: 'In the last 7 days' },
  { hours: WEBHOOK_RETENTION_DAYS * 24, label: `In the last ${WEBHOOK_RETENTION_DAYS} days` },
]

type Props = { endpoints: WebhookEndpoint[] }

export const ResendFailed = ({ endpoints }: Props) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <RotateCw aria-hidden /> Resend failed deliveries
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Resend failed deliveries"
        description="Deliveries that failed are resent in their original order, including those that wait for a retry. If your endpoint tracks webhook-id, it ignores events it already processed."
      >
        <ResendForm endpoints={endpoints} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

const ResendForm = ({ endpoints, onDone }: Props & { onDone: () => void }) => {
  const { program } = useProgram()
  const resend = useResendFailed(program.id)
  const submit = (values: FormData) => {
    const endpointId = Number(values.get('endpointId'))
    const since = new Date(Date.now() - Number(values.get('hours')) * HOUR_MS).toISOString()
    resend.mutate(
      { since, ...(endpointId > 0 && { endpointId }) },
      {
        onSuccess: (result) => {
          onDone()
          toast.done(describeResult(result))
        },
      },
    )
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Created">
        {(wiring) => (
          <Select {...wiring} name="hours" defaultValue={24}>
            {PERIODS.map(({ hours, label }) => (
              <option key={hours} value={hours}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Endpoint">
        {(wiring) => (
          <Select {...wiring} name="endpointId" defaultValue="">
            <option value="">All enabled endpoints</option>
            {endpoints
              .filter(({ enabled }) => enabled)
              .map(({ id, url }) => (
                <option key={id} value={id}>
                  {url}
                </option>
              ))}
          </Select>
        )}
      </Field>
      <FormError error={resend.error} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={resend.isPending}>
          Resend
        </Button>
      </div>
    </Form>
  )
}

const describeResult = ({ resent, disabled }: { resent: number; disabled: number }) => {
  const left = `${countDeliveries(disabled)} can’t be resent, because the endpoint is disabled. Enable it first.`
  if (resent === 0) return disabled > 0 ? left : 'There are no failed deliveries in this period.'
  const done = `${countDeliveries(resent)} will be resent.`
  return disabled > 0 ? `${done} ${left}` : done
}

const countDeliveries = (count: number) => (count === 1 ? '1 delivery' : `${formatNumber(count)} deliveries`)
