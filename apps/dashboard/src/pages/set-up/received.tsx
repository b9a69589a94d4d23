import type { SetUpArrival } from '@tributary/contract'
import { CircleCheck, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Ago } from '~/components/format/time.tsx'

export const SENDERS: Record<SetUpArrival['from'], string> = {
  browser: 'a browser',
  server: 'your server',
  processor: 'your payment processor',
}

type Arrived = { noun: string; received: SetUpArrival }

export const Arrival = ({ noun, received }: Arrived) => (
  <>
    {received.test ? 'Test' : 'Real'} {noun} received from {received.page ?? SENDERS[received.from]},{' '}
    <Ago at={received.at} />
  </>
)

type Props = { noun: string; received: SetUpArrival | null; children?: ReactNode }

/** The latest event from the merchant's side, or a waiting state. */
export const Received = ({ noun, received, children }: Props) => (
  <div className="flex flex-col gap-3 rounded-lg border border-line bg-sunken px-4 py-3">
    <p aria-live="polite" className="flex items-start gap-2 text-sm [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      {received ? (
        <>
          <CircleCheck aria-hidden className="text-good-ink" />
          <span className="wrap-anywhere">
            <Arrival noun={noun} received={received} />
          </span>
        </>
      ) : (
        <>
          <LoaderCircle aria-hidden className="animate-spin text-faint" />
          <span className="text-soft">Waiting for your first {noun}</span>
        </>
      )}
    </p>
    {children}
  </div>
)
