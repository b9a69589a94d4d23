import type { ProgramProcessor } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { CodeBlock } from '~/components/code-block.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { WithCode } from '~/components/format/with-code.tsx'
import { isLocal } from '~/instance.ts'
import { ConnectionRoleNote } from './connection-role-note.tsx'
import { isConnected } from './connection-text.ts'
import { ConnectWithKey } from './managed-endpoint.tsx'
import { SecretForm } from './secret-form.tsx'
import { SubscribedEvents } from './subscribed-events.tsx'

type Props = { connection: ProgramProcessor }

/** All that a merchant does to connect their own account. */
export const ProcessorSetUp = ({ connection }: Props) => {
  const { may } = useProgram()
  const { setUp } = connection
  const offersKey = setUp.createsEndpoint && may('key:manage') && !isConnected(connection)
  return (
    <div className="flex min-w-0 flex-col gap-5 text-sm">
      {offersKey && <ConnectWithKey connection={connection} />}
      <Part title={`${offersKey ? 'Or add' : 'Add'} a webhook endpoint in ${setUp.place}`}>
        <ol className="flex list-decimal flex-col gap-1 pl-5 text-pretty text-soft">
          {setUp.steps.map((step) => (
            <li key={step}>
              <WithCode text={step} />
            </li>
          ))}
        </ol>
        <EndpointUrl connection={connection} />
        <SubscribedEvents events={connection.eventTypes} />
      </Part>
      <Part title={`Save its ${setUp.secret.label.toLowerCase()}`}>
        {may('key:manage') ? (
          <SecretForm connection={connection} label={setUp.secret.label} isAlternative={offersKey} />
        ) : (
          <ConnectionRoleNote />
        )}
      </Part>
      <CheckoutMetadata connection={connection} />
    </div>
  )
}

export const CheckoutMetadata = ({ connection: { label, setUp } }: Props) => (
  <Part title="Add metadata at checkout">
    <CodeBlock
      label={`${label} checkout metadata`}
      snippets={[{ name: 'Checkout', note: <WithCode text={setUp.metadata} />, code: setUp.example }]}
    />
  </Part>
)

export const EndpointUrl = ({ connection: { label, endpointUrl } }: Props) => (
  <>
    <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1.5 pr-1.5 pl-3">
      <code className="min-w-0 flex-1 break-all font-mono text-xs">{endpointUrl}</code>
      <CopyButton text={endpointUrl} label="Copy" look="secondary" />
    </div>
    {isLocal(endpointUrl) && (
      <p className="text-warn-ink">
        {label} can’t reach this URL. First set <code>BASE_URL</code> to a public HTTPS address.
      </p>
    )}
  </>
)

export const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section className="flex min-w-0 flex-col gap-2">
    <h3 className="font-medium text-sm">{title}</h3>
    {children}
  </section>
)
