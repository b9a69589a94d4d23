import type { ProgramProcessor } from '@tributary/contract'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Disclosure } from '~/components/disclosure.tsx'
import { type Fact, FactList } from '~/components/facts/fact-list.tsx'
import { formatTime } from '~/components/format/format.ts'
import { AccountFlags } from './account-flags.tsx'
import { ConnectionRoleNote } from './connection-role-note.tsx'
import { Disconnect } from './disconnect.tsx'
import { EndpointUpdate } from './managed-endpoint.tsx'
import { CheckoutMetadata, EndpointUrl, Part } from './processor-set-up.tsx'
import { SecretForm } from './secret-form.tsx'
import { SubscribedEvents } from './subscribed-events.tsx'

const KINDS = { own: 'Your own webhook endpoint', platform: 'Connected through this platform' }

type Props = { connection: ProgramProcessor }

/** A connection that exists: its facts, events and secrets. */
export const ConnectedProcessor = ({ connection }: Props) => {
  const { may } = useProgram()
  const { kind, flagsReportedAt, eventTypes } = connection
  return (
    <div className="flex min-w-0 flex-col gap-5 text-sm">
      <div>
        <FactList facts={factsOf(connection)} />
        {(kind === 'platform' || flagsReportedAt) && <AccountFlags connection={connection} />}
      </div>
      {kind === 'own' && (
        <Part title="Webhook endpoint">
          <EndpointUrl connection={connection} />
        </Part>
      )}
      <SubscribedEvents events={eventTypes} />
      {connection.managesEndpoint && may('key:manage') && <EndpointUpdate connection={connection} />}
      {kind === 'own' && (may('key:manage') ? <Secrets connection={connection} /> : <ConnectionRoleNote />)}
      <Disclosure label="Checkout metadata">
        <CheckoutMetadata connection={connection} />
      </Disclosure>
      {may('key:manage') && <Disconnect connection={connection} />}
    </div>
  )
}

const TEST_MODE = {
  label: 'Mode',
  value: 'Sandbox or test mode: payments count only as tests. To go live, disconnect it and connect the live endpoint.',
}

const time = (label: string, at: string | null): Fact[] => (at ? [{ label, value: formatTime(at) }] : [])

const factsOf = ({ setUp, ...connection }: ProgramProcessor): Fact[] => {
  const { accountId } = connection
  return [
    { label: 'Type', value: KINDS[connection.kind ?? 'own'] },
    ...(accountId ? [{ label: setUp.account?.label ?? 'Account ID', value: accountId, copy: accountId }] : []),
    ...(connection.test ? [TEST_MODE] : setUp.hasSandbox ? [{ label: 'Mode', value: 'Live' }] : []),
    ...time('Connected', connection.connectedAt),
    ...time('Secret saved', connection.secretSetAt),
    ...time('Secret verified', connection.secretConfirmedAt),
  ]
}

/** Rotating has no gap. Replacing is for a secret that was wrong or is known to others. */
const Secrets = ({ connection }: Props) => {
  const [open, setOpen] = useState<'nextWebhookSecret' | 'webhookSecret' | 'apiKey' | null>(null)
  const { hasNextSecret, hasApiKey, previousSecretValidUntil, setUp } = connection
  const close = () => setOpen(null)
  const form = { connection, onSaved: close, onCancel: close }
  const secret = setUp.secret.label.toLowerCase()
  return (
    <div className="flex flex-col gap-3">
      {hasNextSecret && (
        <p className="rounded-lg bg-warn-soft px-3.5 py-2.5 text-warn-ink">
          A next secret is saved. Both are accepted until the first event signed with it arrives.
        </p>
      )}
      {previousSecretValidUntil && (
        <p className="rounded-lg bg-warn-soft px-3.5 py-2.5 text-warn-ink">
          The previous secret works until {formatTime(previousSecretValidUntil)}, or until the first event signed with
          the new one arrives.
        </p>
      )}
      {open === 'nextWebhookSecret' && (
        <>
          <p className="text-soft">Both secrets are accepted until the first event signed with the new one arrives.</p>
          <SecretForm {...form} label={`New ${secret}`} field="nextWebhookSecret" />
        </>
      )}
      {open === 'webhookSecret' && (
        <>
          <p className="text-soft">For a wrong or leaked secret. The current one stops working immediately.</p>
          <SecretForm {...form} label={`Correct ${secret}`} />
        </>
      )}
      {open === 'apiKey' && setUp.apiKey && (
        <>
          <p className="text-soft">
            With this key, the command <code>processor:reconcile</code> recovers events that never arrived. Permissions:{' '}
            {setUp.apiKey.permissions.join(', ')}.
          </p>
          <SecretForm {...form} label={setUp.apiKey.label} field="apiKey" />
        </>
      )}
      {open === null && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setOpen('nextWebhookSecret')}>Rotate secret</Button>
          <Button onClick={() => setOpen('webhookSecret')}>Replace secret</Button>
          {setUp.apiKey && (
            <Button onClick={() => setOpen('apiKey')}>{hasApiKey ? 'Replace API key' : 'Add API key'}</Button>
          )}
        </div>
      )}
    </div>
  )
}
