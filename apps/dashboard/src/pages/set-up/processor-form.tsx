import { Link } from '@tanstack/react-router'
import type { SetUp } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { CodeBlock } from '~/components/code-block.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { instance } from '~/instance.ts'
import { ConnectionRoleNote } from '../processor/connection-role-note.tsx'
import { connectionText } from '../processor/connection-text.ts'
import { PlatformConnect } from '../processor/platform-connect.tsx'
import { SecretForm } from '../processor/secret-form.tsx'
import { ProcessorEvents } from './processor-events.tsx'
import { checkoutSnippets } from './snippets.ts'
import { Disclosure } from './troubleshooting.tsx'

type Props = { step: SetUp['steps']['payments'] }

/** Connects the merchant's own account: webhook URL, signing secret and checkout metadata. */
export const ProcessorForm = ({ step }: Props) => {
  const { program, may } = useProgram()
  const place = { baseUrl: instance.baseUrl, programId: program.id }
  const ownEndpoint = (
    <>
      <Part title="Add a webhook endpoint in your Stripe dashboard">
        <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 break-all font-mono text-xs">{webhookUrl(place)}</code>
          <CopyButton text={webhookUrl(place)} label="Copy" look="secondary" />
        </div>
        <ProcessorEvents events={step.events} />
      </Part>
      <Part title="Save its signing secret">{may('key:manage') ? <SecretForm /> : <ConnectionRoleNote />}</Part>
    </>
  )
  return (
    <div className="flex flex-col gap-5">
      {instance.hasPlatform && may('key:manage') ? (
        <>
          <PlatformConnect />
          <Disclosure label="Or add your own webhook endpoint">{ownEndpoint}</Disclosure>
        </>
      ) : (
        ownEndpoint
      )}
      <Part title="Add metadata at checkout">
        <CodeBlock label="Checkout metadata" snippets={checkoutSnippets(place)} />
      </Part>
      <Connection step={step} />
    </div>
  )
}

const webhookUrl = ({ baseUrl, programId }: { baseUrl: string; programId: number }) =>
  `${baseUrl}/api/v1/processor/webhook/${programId}`

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section className="flex min-w-0 flex-col gap-2">
    <h3 className="font-medium text-sm">{title}</h3>
    {children}
  </section>
)

const Connection = ({ step }: Props) => {
  const { program, may } = useProgram()
  return (
    <div
      aria-live="polite"
      className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-sunken px-4 py-3 text-sm"
    >
      <StateChip state={step.connection} />
      <span className="text-soft">{connectionText(step.connection, step.mode)}</span>
      {may('tracking:list') && (
        <Link
          to="/programs/$programId/settings/payment-processors"
          params={{ programId: String(program.id) }}
          className="rounded text-accent-ink hover:underline"
        >
          View connection
        </Link>
      )}
    </div>
  )
}
