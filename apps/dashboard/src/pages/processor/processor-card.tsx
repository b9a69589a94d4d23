import type { ProgramProcessor } from '@tributary/contract'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Badge, StateChip } from '~/components/badge.tsx'
import { Card } from '~/components/card.tsx'
import { ConnectedProcessor } from './connected-processor.tsx'
import { connectionText, isConnected } from './connection-text.ts'
import { PlatformConnect } from './platform-connect.tsx'
import { ProcessorSetUp } from './processor-set-up.tsx'

type Props = { connection: ProgramProcessor; startsOpen: boolean }

/** One payment processor: its state, and behind it the set-up or the connection. */
export const ProcessorCard = ({ connection, startsOpen }: Props) => {
  const { program } = useProgram()
  const [isOpen, setOpen] = useState(startsOpen)
  const id = useId()
  const { label, status } = connection
  return (
    <Card>
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex w-full items-center gap-3 rounded-xl px-5 py-4 text-left focus-visible:-outline-offset-2"
        >
          <span className="min-w-0 flex-1 text-section">{label}</span>
          {isConnected(connection) && connection.test && <Badge tone="warn">Test mode</Badge>}
          <StateChip state={status} />
          <ChevronDown aria-hidden className={isOpen ? 'size-4 rotate-180 text-faint' : 'size-4 text-faint'} />
        </button>
      </h2>
      <div id={id} hidden={!isOpen} className="border-line border-t px-5 py-4">
        <p className="mb-4 text-pretty text-soft text-sm">{connectionText(connection, program.paymentTrackingMode)}</p>
        {isOpen && <Content connection={connection} />}
      </div>
    </Card>
  )
}

const Content = ({ connection }: { connection: ProgramProcessor }) => {
  const { may } = useProgram()
  if (isConnected(connection)) return <ConnectedProcessor connection={connection} />
  return (
    <div className="flex flex-col gap-5">
      {connection.offersPlatform && may('key:manage') && <PlatformConnect label={connection.label} />}
      <ProcessorSetUp connection={connection} />
    </div>
  )
}
