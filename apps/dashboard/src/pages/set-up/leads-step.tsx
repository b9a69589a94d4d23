import type { SetUp } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { CodeBlock } from '~/components/code-block.tsx'
import { Ago } from '~/components/format/time.tsx'
import { instance } from '~/instance.ts'
import { Arrival, Received } from './received.tsx'
import { ServiceCheck } from './service-check.tsx'
import { leadSnippets } from './snippets.ts'
import { type Frame, StepCard } from './step-card.tsx'
import { StepKey, type StepKeyState } from './step-key.tsx'
import { Code, Troubleshooting } from './troubleshooting.tsx'

type Props = { step: SetUp['steps']['signUps']; frame: Frame; apiKey: StepKeyState }

/** Completes when a lead counts, which usually the merchant's server sends with an API key, or with a test lead. */
export const LeadsStep = ({ step, frame, apiKey }: Props) => {
  const { program } = useProgram()
  const place = { baseUrl: instance.baseUrl, programId: program.id }
  return (
    <StepCard
      frame={frame}
      summary={
        step.received ? (
          <Arrival noun="lead" received={step.received} />
        ) : (
          'Your server reports each sign-up with the click ID from the script’s cookie.'
        )
      }
    >
      <StepKey state={apiKey} />
      <CodeBlock label="Lead call" snippets={leadSnippets(place)} />
      <Received noun="lead" received={step.received}>
        {!step.done && step.provisionalAt && (
          <p className="text-pretty text-sm text-warn-ink">
            A lead arrived without an API key <Ago at={step.provisionalAt} />. It is provisional until your server sends
            it with a key.
          </p>
        )}
        <Troubleshooting
          checks={[
            <>
              401 <Code>invalid_api_key</Code>: the key was revoked, or copied with a line break.
            </>,
            <>
              400 <Code>click_not_found</Code>: pass the <Code>service_click_id</Code> cookie of the visitor’s request
              unchanged.
            </>,
            <>
              400 <Code>customer_unknown</Code>: no click ID was sent. If your API is on another domain, the cookie
              doesn’t reach it; send its value with your request.
            </>,
            program.leadAuth === 'server_required' ? (
              <>
                <Code>provisional: true</Code> in the response: the call had no API key. The lead counts once your
                server sends it with one.
              </>
            ) : (
              <>This program also accepts leads from the browser, without a key.</>
            ),
          ]}
        >
          <ServiceCheck kind="lead" checkedAt={step.checkedAt} />
        </Troubleshooting>
      </Received>
    </StepCard>
  )
}
