import { CircleCheck, LoaderCircle } from 'lucide-react'
import { useEvents } from '~/api/tracking.ts'
import { useProgram } from '~/app/program-context.ts'
import { Ago } from '~/components/time.tsx'
import { Code } from './arrival.tsx'

/** A sale needs an API key, and no key may be in a browser: the test comes from the merchant's server, and is waited for here. */
export const LatestTestSale = () => {
  const { program } = useProgram()
  const sales = useEvents(program.id, { eventType: 'sale', test: 'true', pageSize: 1 }, { poll: true })
  const latest = sales.data?.data[0]
  return (
    <p
      aria-live="polite"
      className="flex items-center gap-2 rounded-lg border border-line bg-sunken px-4 py-3 text-sm [&_svg]:size-4 [&_svg]:shrink-0"
    >
      {latest ? (
        <>
          <CircleCheck aria-hidden className="text-good-ink" />
          <span>
            Test sale received <Ago at={latest.timestamp} />
          </span>
        </>
      ) : (
        <>
          <LoaderCircle aria-hidden className="animate-spin text-faint" />
          <span className="text-soft">
            Waiting for a test sale. 401 <Code>missing_api_key</Code>: the header did not reach the service.
          </span>
        </>
      )}
    </p>
  )
}
