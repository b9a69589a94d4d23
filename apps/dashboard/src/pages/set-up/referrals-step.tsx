import { Link } from '@tanstack/react-router'
import type { TrackingStatus } from '@tributary/contract'
import { KeyRound } from 'lucide-react'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/button.tsx'
import { CodeBlock } from '~/components/code-block.tsx'
import { instance } from '~/instance.ts'
import { Arrival, Code } from './arrival.tsx'
import { leadSnippets } from './snippets.ts'
import { StepCard } from './step-card.tsx'

export const ReferralsStep = ({ status }: { status: TrackingStatus }) => {
  const { program, may } = useProgram()
  const place = { baseUrl: instance.baseUrl, programId: program.id }
  return (
    <StepCard
      number={2}
      title="Track sign-ups"
      summary="Your server says who signed up, with the click ID that the script left in a cookie."
      isComplete={status.stepStatuses.referrals === 'complete'}
    >
      {may('key:manage') && (
        <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
          <p className="text-soft">The call needs an API key of this program.</p>
          <Link
            to="/programs/$programId/settings/api-keys"
            params={{ programId: String(program.id) }}
            className={buttonClass({ size: 'small' })}
          >
            <KeyRound aria-hidden /> API keys
          </Link>
        </div>
      )}
      <CodeBlock label="Lead call" snippets={leadSnippets(place)} />
      <Arrival
        kind="lead"
        events={status.statistics.referrals}
        checks={[
          <>
            401 <Code>invalid_api_key</Code>: the key was revoked, or a line break came along when it was copied.
          </>,
          <>
            400 <Code>click_not_found</Code>: pass the cookie <Code>service_click_id</Code> on unchanged, from the
            visitor’s own request.
          </>,
          <>
            400 <Code>customer_unknown</Code>: no click ID was sent. Your API may live on another domain than the page,
            where the cookie does not reach; send its value along.
          </>,
          program.leadAuth === 'server_required' ? (
            <>
              <Code>provisional: true</Code> in the answer: the call came without a key, as from a browser. It counts
              once your server sends it.
            </>
          ) : (
            <>This program also accepts sign-ups from the browser, without a key.</>
          ),
        ]}
      />
    </StepCard>
  )
}
