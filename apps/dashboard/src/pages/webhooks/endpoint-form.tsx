import type { CreateWebhookEndpoint, WebhookEndpoint, WebhookFormat } from '@tributary/contract'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { EventChoice } from './event-choice.tsx'
import { ALL_EVENTS } from './event-groups.ts'

const FORMATS: { value: WebhookFormat; label: string; hint: string }[] = [
  { value: 'standard', label: 'Standard', hint: 'The event as JSON, for your own code.' },
  { value: 'slack', label: 'Slack', hint: 'A readable message. Use the URL of a Slack incoming webhook.' },
  { value: 'discord', label: 'Discord', hint: 'A readable message. Use the URL of a Discord channel webhook.' },
]

const FIELDS = ['url', 'description', 'events', 'includeCustomerData']

type Props = {
  endpoint?: WebhookEndpoint
  submit: string
  busy: boolean
  error: unknown
  onSubmit: (values: CreateWebhookEndpoint) => void
}

export const EndpointForm = ({ endpoint, submit, busy, error, onSubmit }: Props) => {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [events, setEvents] = useState<string[]>(endpoint?.events ?? [ALL_EVENTS])
  const [format, setFormat] = useState<WebhookFormat>(endpoint?.format ?? 'standard')
  const read = (values: FormData): CreateWebhookEndpoint => ({
    url: url.trim(),
    description: formText(values, 'description') || null,
    events: events as CreateWebhookEndpoint['events'],
    format,
    ordered: values.has('ordered'),
    includeCustomerData: values.has('includeCustomerData'),
  })
  return (
    <Form onSubmit={(values) => onSubmit(read(values))} className="flex flex-col gap-4">
      <Field label="URL" hint={urlHint(url)} error={fieldError(error, 'url')}>
        {(wiring) => (
          <Input
            {...wiring}
            type="url"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            placeholder="https://example.com/webhooks"
            maxLength={2048}
            required
            autoFocus
          />
        )}
      </Field>
      <Field label="Description" optional error={fieldError(error, 'description')}>
        {(wiring) => (
          <Input
            {...wiring}
            name="description"
            defaultValue={endpoint?.description ?? ''}
            placeholder="Credits referral bonuses"
            maxLength={200}
          />
        )}
      </Field>
      <EventChoice value={events} onChange={setEvents} error={fieldError(error, 'events')} />
      <FormatChoice value={format} onChange={setFormat} />
      <Options {...(endpoint && { endpoint })} />
      <FormError error={error} fields={FIELDS} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={busy} disabled={events.length === 0}>
          {submit}
        </Button>
      </div>
    </Form>
  )
}

const urlHint = (url: string) =>
  /^http:/i.test(url.trim())
    ? 'Requests to http are not encrypted. Use https if you can.'
    : 'Must be reachable from the internet.'

const FormatChoice = ({ value, onChange }: { value: WebhookFormat; onChange: (format: WebhookFormat) => void }) => (
  <div className="flex flex-col gap-1.5">
    <span className="font-medium text-sm">Message format</span>
    <Segmented label="Message format" value={value} options={FORMATS} onChange={onChange} />
    <p className="text-faint text-xs">{FORMATS.find((format) => format.value === value)?.hint}</p>
  </div>
)

const Options = ({ endpoint }: { endpoint?: WebhookEndpoint }) => {
  const { may } = useProgram()
  const mayShare = may('member:manage')
  return (
    <>
      <Switch
        label="Send in order"
        name="ordered"
        defaultChecked={endpoint?.ordered ?? false}
        hint="One event at a time. A failing event holds back later ones until it is delivered or abandoned."
      />
      <Switch
        label="Include customer data"
        name="includeCustomerData"
        defaultChecked={endpoint?.includeCustomerData ?? false}
        disabled={!mayShare}
        hint={
          mayShare
            ? 'Adds the customer’s masked email address to lead.created events. The customer key is always included; don’t use an email address as the key.'
            : 'Only owners and admins can change this. The customer key is always included.'
        }
      />
    </>
  )
}
