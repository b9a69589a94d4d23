import type { ProcessorConnection } from '@tributary/contract'
import { clsx } from 'clsx'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { type Fact, FactList } from '~/components/facts/fact-list.tsx'
import { formatTime } from '~/components/format/format.ts'
import { instance } from '~/instance.ts'
import { AccountFlags } from './account-flags.tsx'
import { AskForConnection } from './ask-for-connection.tsx'
import { CONNECTION_WORDS } from './connection-words.ts'
import { Disconnect } from './disconnect.tsx'
import { PlatformConnect } from './platform-connect.tsx'
import { SecretForm } from './secret-form.tsx'

const KINDS = { own: 'Your own endpoint and signing secret', platform: 'Through the platform of this service' }

/** Whether events arrive, from which account, and what there is to do about it. */
export const ConnectionCard = ({ connection }: { connection: ProcessorConnection }) => {
  const { may } = useProgram()
  const { status, kind } = connection
  const isOver = status === 'not_connected' || status === 'disconnected'
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3 px-5 pt-4 pb-3">
        <div className="min-w-0">
          <h2 className="flex items-center gap-2.5 font-semibold text-base">
            Connection <StateChip state={status} />
          </h2>
          <p className="mt-1 text-pretty text-soft text-sm">{CONNECTION_WORDS[status]}</p>
        </div>
        {may('key:manage') && (
          <div className="flex flex-wrap gap-2">
            {isOver && instance.hasPlatform && <PlatformConnect />}
            {!isOver && <Disconnect kind={kind} />}
          </div>
        )}
      </div>
      {isOver || kind === null ? (
        <OwnEndpoint connection={connection} isOver />
      ) : (
        <div className="grid border-line border-t lg:grid-cols-2 lg:divide-x lg:divide-line">
          <div className="px-5 py-2">
            <FactList facts={factsOf(connection)} />
            {kind === 'own' && connection.accountId && <AccountFlags connection={connection} />}
          </div>
          {kind === 'own' ? (
            <OwnEndpoint connection={connection} isOver={false} />
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

const factsOf = (connection: ProcessorConnection): Fact[] => [
  { label: 'Account', value: KINDS[connection.kind ?? 'own'] },
  ...(connection.accountId ? [{ label: 'Account ID', value: connection.accountId, copy: connection.accountId }] : []),
  ...time('Connected', connection.connectedAt),
  ...time('Secret stored', connection.secretSetAt),
  ...time('Secret confirmed', connection.secretConfirmedAt),
]

/** The address for the merchant's own endpoint, and the secret that its events are signed with. */
const OwnEndpoint = ({ connection, isOver }: { connection: ProcessorConnection; isOver: boolean }) => {
  const { may } = useProgram()
  const [isOpen, setOpen] = useState(false)
  const { webhookUrl, previousSecretValidUntil } = connection
  return (
    <div className={clsx('flex flex-col gap-3 border-line px-5 py-4 text-sm', isOver ? 'border-t' : 'max-lg:border-t')}>
      <div className="flex flex-col gap-1.5">
        <p className="font-medium">Webhook address</p>
        <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 break-all font-mono text-xs">{webhookUrl}</code>
          <CopyButton text={webhookUrl} label="Copy" look="secondary" />
        </div>
        <p className="text-faint text-xs">
          {isOver
            ? 'Add it as an endpoint in your Stripe dashboard, then store its signing secret here.'
            : 'The endpoint in your Stripe dashboard.'}
        </p>
      </div>
      {previousSecretValidUntil && (
        <p className="rounded-lg bg-warn-soft px-3.5 py-2.5 text-warn-ink">
          The secret before is still accepted until {formatTime(previousSecretValidUntil)}, or until an event comes that
          is signed with the new one.
        </p>
      )}
      {!may('key:manage') && <AskForConnection />}
      {may('key:manage') &&
        (isOver || isOpen ? (
          <SecretForm label={isOver ? 'Signing secret' : 'New signing secret'} onStored={() => setOpen(false)} />
        ) : (
          <Button className="w-fit" onClick={() => setOpen(true)}>
            Rotate the secret
          </Button>
        ))}
    </div>
  )
}
