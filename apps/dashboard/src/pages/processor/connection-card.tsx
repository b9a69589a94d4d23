import { Link } from '@tanstack/react-router'
import type { ProcessorConnection } from '@tributary/contract'
import { clsx } from 'clsx'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { type Fact, FactList } from '~/components/facts/fact-list.tsx'
import { formatTime } from '~/components/format/format.ts'
import { instance, isLocal } from '~/instance.ts'
import { AccountFlags } from './account-flags.tsx'
import { ConnectionRoleNote } from './connection-role-note.tsx'
import { connectionText } from './connection-text.ts'
import { Disconnect } from './disconnect.tsx'
import { PlatformConnect } from './platform-connect.tsx'
import { SecretForm } from './secret-form.tsx'

const KINDS = { own: 'Your own webhook endpoint', platform: 'Connected through this platform' }

export const ConnectionCard = ({ connection }: { connection: ProcessorConnection }) => {
  const { program, may } = useProgram()
  const { status, kind } = connection
  const isDisconnected = status === 'not_connected' || status === 'disconnected'
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3 px-5 pt-4 pb-3">
        <div className="min-w-0">
          <h2 className="flex items-center gap-2.5 text-section">
            Connection <StateChip state={status} />
          </h2>
          <p className="mt-1 text-pretty text-soft text-sm">{connectionText(status, program.paymentTrackingMode)}</p>
        </div>
        {may('key:manage') && (
          <div className="flex flex-wrap gap-2">
            {isDisconnected && instance.hasPlatform && <PlatformConnect />}
            {!isDisconnected && <Disconnect kind={kind} />}
          </div>
        )}
      </div>
      {isDisconnected || kind === null ? (
        <OwnEndpoint connection={connection} isDisconnected />
      ) : (
        <div className="grid border-line border-t lg:grid-cols-2 lg:divide-x lg:divide-line">
          <div className="px-5 py-2">
            <FactList facts={connectionFacts(connection)} />
            {kind === 'own' && connection.accountId && <AccountFlags connection={connection} />}
          </div>
          {kind === 'own' ? (
            <OwnEndpoint connection={connection} isDisconnected={false} />
          ) : (
            <div className="px-5 py-2">
              <AccountFlags connection={connection} />
            </div>
          )}
        </div>
      )}
    </>
  )
}

const time = (label: string, at: string | null): Fact[] => (at ? [{ label, value: formatTime(at) }] : [])

const connectionFacts = (connection: ProcessorConnection): Fact[] => [
  { label: 'Type', value: KINDS[connection.kind ?? 'own'] },
  ...(connection.accountId ? [{ label: 'Account ID', value: connection.accountId, copy: connection.accountId }] : []),
  ...time('Connected', connection.connectedAt),
  ...time('Secret saved', connection.secretSetAt),
  ...time('Secret verified', connection.secretConfirmedAt),
]

/** The setup page lists the events and the checkout metadata. */
const ConnectHint = () => {
  const { program } = useProgram()
  return (
    <>
      Add this endpoint in your Stripe dashboard, then save its signing secret below. All steps for Stripe are in{' '}
      <Link
        to="/programs/$programId/set-up"
        params={{ programId: String(program.id) }}
        hash="payments"
        className="underline underline-offset-2"
      >
        Setup, under Track sales
      </Link>
      .
    </>
  )
}

/** The webhook URL and signing secret of the merchant's own endpoint. */
const OwnEndpoint = ({ connection, isDisconnected }: { connection: ProcessorConnection; isDisconnected: boolean }) => {
  const { may } = useProgram()
  const [isOpen, setOpen] = useState(false)
  const { webhookUrl, previousSecretValidUntil } = connection
  return (
    <div
      className={clsx(
        'flex flex-col gap-3 border-line px-5 py-4 text-sm',
        isDisconnected ? 'border-t' : 'max-lg:border-t',
      )}
    >
      <div className="flex flex-col gap-1.5">
        <p className="font-medium">Webhook URL</p>
        <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 break-all font-mono text-xs">{webhookUrl}</code>
          <CopyButton text={webhookUrl} label="Copy" look="secondary" />
        </div>
        {isLocal(webhookUrl) && (
          <p className="text-sm text-warn-ink">
            Stripe can’t reach this URL. First set <code>BASE_URL</code> to a public HTTPS address.
          </p>
        )}
        <p className="text-faint text-xs">
          {isDisconnected ? <ConnectHint /> : 'The webhook endpoint in your Stripe dashboard.'}
        </p>
      </div>
      {previousSecretValidUntil && (
        <p className="rounded-lg bg-warn-soft px-3.5 py-2.5 text-warn-ink">
          The previous secret works until {formatTime(previousSecretValidUntil)}, or until the first event signed with
          the new one arrives.
        </p>
      )}
      {!may('key:manage') && <ConnectionRoleNote />}
      {may('key:manage') &&
        (isDisconnected || isOpen ? (
          <SecretForm label={isDisconnected ? 'Signing secret' : 'New signing secret'} onSaved={() => setOpen(false)} />
        ) : (
          <Button className="w-fit" onClick={() => setOpen(true)}>
            Rotate secret
          </Button>
        ))}
    </div>
  )
}
