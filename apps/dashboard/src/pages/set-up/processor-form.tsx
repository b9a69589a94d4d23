import { Link } from '@tanstack/react-router'
import type { ProgramProcessor } from '@tributary/contract'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Field, Select } from '~/components/controls/field.tsx'
import { Disclosure } from '~/components/disclosure.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { connectionText, isConnected } from '../processor/connection-text.ts'
import { PlatformConnect } from '../processor/platform-connect.tsx'
import { ProcessorSetUp } from '../processor/processor-set-up.tsx'

/** Chooses a payment processor and connects it. */
export const ProcessorForm = () => {
  const { program } = useProgram()
  const processors = useCall('get /api/programs/{programId}/processors', { programId: program.id })
  return (
    <QueryView query={processors} loading={<FormSkeleton />}>
      {({ data }) => <ChosenProcessor processors={data} />}
    </QueryView>
  )
}

const FormSkeleton = () => (
  <Loading className="flex flex-col gap-3">
    <Skeleton className="h-9 w-56" />
    <Skeleton className="h-9 w-full" />
  </Loading>
)

const ChosenProcessor = ({ processors }: { processors: ProgramProcessor[] }) => {
  const { may } = useProgram()
  const [name, setName] = useState<string | null>(null)
  const chosen = processors.find(({ processor }) => processor === name) ?? processors.find(isConnected) ?? processors[0]
  if (!chosen) return null
  return (
    <div className="flex flex-col gap-5">
      {processors.length > 1 && (
        <div className="max-w-64">
          <Field label="Payment processor">
            {(wiring) => (
              <Select {...wiring} value={chosen.processor} onChange={(event) => setName(event.target.value)}>
                {processors.map(({ processor, label }) => (
                  <option key={processor} value={processor}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
      )}
      {chosen.offersPlatform && may('key:manage') ? (
        <>
          <PlatformConnect label={chosen.label} />
          <Disclosure label="Or add your own webhook endpoint">
            <ProcessorSetUp key={chosen.processor} connection={chosen} />
          </Disclosure>
        </>
      ) : (
        <ProcessorSetUp key={chosen.processor} connection={chosen} />
      )}
      <Connection connection={chosen} />
    </div>
  )
}

const Connection = ({ connection }: { connection: ProgramProcessor }) => {
  const { program, may } = useProgram()
  return (
    <div
      aria-live="polite"
      className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-sunken px-4 py-3 text-sm"
    >
      <StateChip state={connection.status} />
      <span className="text-soft">{connectionText(connection, program.paymentTrackingMode)}</span>
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
